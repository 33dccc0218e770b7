import type { RecognizedWord } from "../recognizer.ts";

/** A token and when it starts. */
export interface TimedToken {
  /** Its part of the text in UTF-8. A character may be spread over tokens. */
  readonly bytes: Uint8Array;
  readonly start: number;
  /** Its number in the vocabulary, where words should name their tokens. */
  readonly id?: number;
  /** From 0 to 1, where the model estimates it. */
  readonly probability?: number;
}

interface Piece {
  text: string;
  start: number;
  /** The end of the sound: where its trailing punctuation starts. */
  end: number;
  /** The least of its tokens. */
  probability: number | undefined;
  /** Of its tokens, where they are known. */
  ids: number[];
}

const punctuation = /^[\p{P}\p{S}]+$/u;

/**
 * Words with their times: the text between spaces, or each token in languages that are written without them. A word ends
 * where the next one starts, or where its punctuation starts: for a comma, a decoder attends to the pause.
 */
export function wordsOf(tokens: readonly TimedToken[], end: number, spaced: boolean): RecognizedWord[] {
  const words: RecognizedWord[] = [];
  let word: (Piece & { joined: boolean }) | undefined;
  let spaceBefore = false;
  /** Spaces before a word. */
  let idsBefore: number[] = [];
  const finish = () => {
    if (!word?.text) return;
    const { text, start, end, joined, probability, ids } = word;
    const optional = {
      ...(probability === undefined ? {} : { probability }),
      ...(ids.length === 0 ? {} : { tokens: ids }),
    };
    words.push({ text, start, end, joined, ...optional });
  };
  for (const piece of wholePieces(tokens, end)) {
    const plain = piece.text.trim();
    if (plain === "") {
      spaceBefore = true;
      idsBefore.push(...piece.ids);
      continue;
    }
    const isMark = punctuation.test(plain);
    const afterSpace = spaceBefore || /^\s/.test(piece.text);
    spaceBefore = /\s$/.test(piece.text);
    const begins = word === undefined || (spaced ? afterSpace : !isMark);
    if (begins) {
      finish();
      word = { ...piece, text: plain, joined: words.length > 0 && !afterSpace, ids: [...idsBefore, ...piece.ids] };
      idsBefore = [];
    } else if (word) {
      word.text += plain;
      word.ids.push(...idsBefore, ...piece.ids);
      idsBefore = [];
      if (isMark) continue;
      word.end = piece.end;
      word.probability = least(word.probability, piece.probability);
    }
  }
  finish();
  return words;
}

/** The words as a text. */
export function textOf(words: readonly Pick<RecognizedWord, "text" | "joined">[]): string {
  return words.map((word, index) => (index === 0 || word.joined ? word.text : ` ${word.text}`)).join("");
}

/** Joins tokens until they are whole characters. Bytes that never form one are dropped. */
function wholePieces(tokens: readonly TimedToken[], end: number): Piece[] {
  const pieces: Piece[] = [];
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pending: Uint8Array[] = [];
  let start = 0;
  let probability: number | undefined;
  let ids: number[] = [];
  tokens.forEach((token, index) => {
    if (pending.length === 0) start = token.start;
    if (token.id !== undefined) ids.push(token.id);
    probability = pending.length === 0 ? token.probability : least(probability, token.probability);
    pending.push(token.bytes);
    const bytes = Buffer.concat(pending);
    try {
      pieces.push({ text: strict.decode(bytes), start, end: tokens[index + 1]?.start ?? end, probability, ids });
      [pending, ids] = [[], []];
    } catch {
      // A character has at most four bytes: more are damaged, not incomplete.
      if (bytes.length < 4 && index < tokens.length - 1) return;
      const text = bytes.toString().replaceAll("\uFFFD", "");
      if (text) pieces.push({ text, start, end: tokens[index + 1]?.start ?? end, probability, ids });
      [pending, ids] = [[], []];
    }
  });
  return pieces;
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
