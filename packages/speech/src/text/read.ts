import { readEnglish } from "./english/english.ts";
import { innerPunctuation, opensBracket, spokenPunctuation } from "./punctuation.ts";
import { type Token, tokenize } from "./tokens.ts";
import type { SpokenWord } from "./types.ts";

/** A spoken word and where the text may be split before it. */
export interface ReadWord {
  readonly word: SpokenWord;
  /** The position in the text of a chunk that starts with this word. */
  readonly start: number;
  /** It belongs to the previous word: both are part of one written word, date, amount or telephone number. */
  readonly joined: boolean;
}

export interface ReadOptions {
  /** As espeak names it: "en-us", "es", "pt-br". */
  readonly language: string;
  /** Read numbers, dates, money and so on in words; only English has rules for it. */
  readonly normalize: boolean;
}

/** A spoken word of a token, and the pause after it inside the token. */
interface Part {
  readonly text: string;
  readonly pause: "" | ",";
}

/** The spoken words of one or more tokens from an index on. */
type Reader = (tokens: readonly Token[], index: number) => readonly (readonly Part[])[];

/** The maximum of spoken words for a written word, so that it fits into a chunk. */
const LONGEST_READING = 290;

/** The spoken words of a sentence (a range of the text), in the order in which they are spoken. */
export function readSentence(text: string, from: number, to: number, options: ReadOptions): ReadWord[] {
  const tokens = tokenize(text, from, to);
  const reader = options.normalize && isEnglish(options.language) ? inEnglish(options.language) : asWritten;
  const words: ReadWord[] = [];
  for (let index = 0; index < tokens.length; ) {
    const given = tokens[index]?.phonemes;
    const reading = given === undefined ? reader(tokens, index) : [[{ text: given, pause: "" as const }]];
    for (const [offset, parts] of reading.entries()) {
      const token = tokens[index + offset];
      if (token === undefined) break;
      addToken(words, token, bounded(parts), offset > 0, index + offset === tokens.length - 1);
    }
    index += Math.max(1, reading.length);
  }
  return words;
}

const isEnglish = (language: string): boolean => /^en\b/i.test(language);
const isBritish = (language: string): boolean => /^en-(?:gb|uk|au|nz|ie|za|in)/i.test(language);

function inEnglish(language: string): Reader {
  const style = { british: isBritish(language) };
  return (tokens, index) => readEnglish(tokens, index, style).map(spokenParts);
}

function spokenParts(said: string): Part[] {
  return said
    .split(" ")
    .map((part) => ({ text: lettersOnly(part), pause: part.endsWith(",") ? ("," as const) : ("" as const) }))
    .filter(({ text }) => text !== "");
}

const NOT_IN_WORDS = /[^\p{L}\p{M}'.-]/gu;
const SPELLED = /^\p{L}(?:\.\p{L})+$/u;

/** A word of normalised text: letters, apostrophes and hyphens, and dots only between letters that are spelled. */
function lettersOnly(part: string): string {
  const letters = part.replace(NOT_IN_WORDS, "").replace(/^[-.]+|[-.']+$/g, "");
  const word = SPELLED.test(letters) ? letters : letters.replaceAll(".", "");
  return /\p{L}/u.test(word) ? word : "";
}

/** Signs that the phonemizer can speak. */
const SAYABLE = /[\p{L}\p{N}&%+=@$€£¥₹°§]/u;
const UNSAYABLE = /[^\p{L}\p{M}\p{N}\p{Sc}&%+=@°§#/.,:'*^<>~_-]/gu;

/** Numbers and signs are left to the phonemiser. */
const asWritten: Reader = (tokens, index) => {
  const text = tokens[index]?.text ?? "";
  return [SAYABLE.test(text) ? [{ text: text.replace(UNSAYABLE, ""), pause: "" }] : []];
};

function bounded(parts: readonly Part[]): readonly Part[] {
  let length = 0;
  const over = parts.findIndex(({ text }) => {
    length += text.length + 2;
    return length > LONGEST_READING;
  });
  if (over === 0) return parts.slice(0, 1).map((part) => ({ ...part, text: part.text.slice(0, LONGEST_READING) }));
  return over > 0 ? parts.slice(0, over) : parts;
}

function addToken(words: ReadWord[], token: Token, parts: readonly Part[], joined: boolean, last: boolean): void {
  if (opensBracket(token.before) && !isAreaCode(token)) punctuateLast(words, ",");
  const listNumber = words.length === 0 && /^\d+$/.test(token.text);
  const after = last ? spokenPunctuation(withoutClosers(token.after)) : innerPunctuation(token.after, listNumber);
  if (parts.length === 0) punctuateLast(words, after);
  for (const [index, { text, pause }] of parts.entries()) {
    const end = index === parts.length - 1;
    words.push({
      word: {
        text,
        from: token.from,
        to: token.to,
        ...(token.phonemes === undefined ? {} : { phonemes: token.phonemes }),
        after: end && (after !== "" || last) ? after : pause,
      },
      start: token.start,
      joined: joined || index > 0,
    });
  }
}

/** "(202)": there is no pause before it. */
const isAreaCode = (token: Token): boolean => /^\d+$/.test(token.text) && token.after.startsWith(")");

/** A closing bracket at the end of a sentence adds no pause. */
const withoutClosers = (after: string): string => after.replace(/[)\]}）】|]/g, "");

function punctuateLast(words: ReadWord[], mark: string): void {
  const last = words.at(-1);
  if (last === undefined || mark === "" || last.word.after !== "") return;
  words[words.length - 1] = { ...last, word: { ...last.word, after: mark } };
}
