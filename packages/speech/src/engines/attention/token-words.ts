import type { HeardWord } from "../recognizer.ts";

/** A token as it was written, and when it begins to sound. */
export interface TimedToken {
  /** Its part of the text in UTF-8. A character may be spread over tokens. */
  readonly bytes: Uint8Array;
  readonly start: number;
}

interface Piece {
  text: string;
  start: number;
  /** The last moment of it that still sounds: where its trailing punctuation begins. */
  end: number;
}

const punctuation = /^[\p{P}\p{S}]+$/u;

/**
 * Words with their times: what stands between spaces, or each piece of its own where a language is written without them.
 * A word ends where the next begins, or where its punctuation does: a decoder that writes a comma looks at the pause.
 */
export function wordsOf(tokens: readonly TimedToken[], end: number, spaced: boolean): HeardWord[] {
  const words: HeardWord[] = [];
  let word: (Piece & { joined: boolean }) | undefined;
  let spaceBefore = false;
  const finish = () => {
    if (word?.text) words.push({ text: word.text, start: word.start, end: word.end, joined: word.joined });
  };
  for (const piece of wholePieces(tokens, end)) {
    const plain = piece.text.trim();
    if (plain === "") {
      spaceBefore = true;
      continue;
    }
    const isMark = punctuation.test(plain);
    const afterSpace = spaceBefore || /^\s/.test(piece.text);
    spaceBefore = /\s$/.test(piece.text);
    const begins = word === undefined || (spaced ? afterSpace : !isMark);
    if (begins) {
      finish();
      word = { text: plain, start: piece.start, end: piece.end, joined: words.length > 0 && !afterSpace };
    } else if (word) {
      word.text += plain;
      if (!isMark) word.end = piece.end;
    }
  }
  finish();
  return words;
}

/** The words as a text. */
export function textOf(words: readonly Pick<HeardWord, "text" | "joined">[]): string {
  return words.map((word, index) => (index === 0 || word.joined ? word.text : ` ${word.text}`)).join("");
}

/** Joins tokens until they are whole characters. Bytes that never become one are left out. */
function wholePieces(tokens: readonly TimedToken[], end: number): Piece[] {
  const pieces: Piece[] = [];
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let waiting: Uint8Array[] = [];
  let start = 0;
  tokens.forEach((token, index) => {
    if (waiting.length === 0) start = token.start;
    waiting.push(token.bytes);
    const bytes = Buffer.concat(waiting);
    try {
      pieces.push({ text: strict.decode(bytes), start, end: tokens[index + 1]?.start ?? end });
      waiting = [];
    } catch {
      // No character is longer than four bytes: more than that is damaged, not unfinished.
      if (bytes.length < 4 && index < tokens.length - 1) return;
      const text = bytes.toString().replaceAll("\uFFFD", "");
      if (text) pieces.push({ text, start, end: tokens[index + 1]?.start ?? end });
      waiting = [];
    }
  });
  return pieces;
}
