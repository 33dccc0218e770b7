import { isUnspaced, joinCharacters } from "./cjk/words.ts";
import { readerOf } from "./languages.ts";
import { type Pronunciations, withPronunciation } from "./pronunciations.ts";
import { innerPunctuation, opensBracket, spokenPunctuation } from "./punctuation.ts";
import { spelledOut } from "./spelled-out.ts";
import { letterWidth, spokenWidth } from "./spoken-width.ts";
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
  /** Read numbers, dates, money and so on in words, in a language that has rules for it. */
  readonly normalize: boolean;
  /** Words that are spoken in another way than the rules say. */
  readonly pronunciations?: Pronunciations | undefined;
}

/** A spoken word of a token, and the pause after it inside the token. */
interface Part {
  readonly text: string;
  readonly pause: "" | ",";
}

/** The spoken words of one or more tokens from an index on. */
type PartReader = (tokens: readonly Token[], index: number) => readonly (readonly Part[])[];

/** The maximum of spoken words for a written word, so that it fits into a chunk. */
const LONGEST_READING = 290;

/** Other requests have their turn after this many tokens. */
const TOKENS_PER_STEP = 100;

/** The spoken words of a sentence (a range of the text), in the order in which they are spoken. */
export function readSentence(text: string, from: number, to: number, options: ReadOptions): ReadWord[] {
  const steps = readInSteps(text, from, to, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in bounded steps: it yields between two of them. */
export function* readInSteps(
  text: string,
  from: number,
  to: number,
  options: ReadOptions,
): Generator<undefined, ReadWord[]> {
  const language = readerOf(options.language);
  const rules = options.normalize ? language : undefined;
  const { pronunciations } = options;
  const found = tokenize(text, from, to).map((token) => (token.spelled ? spelledOut(token, language) : token));
  const written = pronunciations ? found.map((token) => withPronunciation(token, pronunciations)) : found;
  const tokens = rules?.join?.(written) ?? written;
  const reader: PartReader =
    rules === undefined ? asWritten : (list, index) => rules.read(list, index).map(spokenParts);
  const words: ReadWord[] = [];
  let stepEnd = TOKENS_PER_STEP;
  for (let index = 0; index < tokens.length; ) {
    if (index >= stepEnd) {
      yield;
      stepEnd = index + TOKENS_PER_STEP;
    }
    const reading = givenReading(tokens[index]) ?? reader(tokens, index);
    for (const [offset, parts] of reading.entries()) {
      const token = tokens[index + offset];
      if (token === undefined) break;
      addToken(words, token, bounded(parts), offset > 0, index + offset === tokens.length - 1);
    }
    index += Math.max(1, reading.length);
  }
  return isUnspaced(options.language) ? joinCharacters(words, text, [from, to], options.language) : words;
}

function givenReading(token: Token | undefined): readonly (readonly Part[])[] | undefined {
  if (token?.phonemes !== undefined) return [[{ text: token.phonemes, pause: "" }]];
  return token?.respelling === undefined ? undefined : [spokenParts(token.respelling)];
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
const asWritten: PartReader = (tokens, index) => {
  const text = tokens[index]?.text ?? "";
  return [SAYABLE.test(text) ? [{ text: text.replace(UNSAYABLE, ""), pause: "" }] : []];
};

/** Characters of a reading that is one word. Its first character may be narrower than the others. */
const longest = (text: string): number => Math.floor(LONGEST_READING / (letterWidth(text) > 1 ? 3 : 1));

function bounded(parts: readonly Part[]): readonly Part[] {
  let length = 0;
  const over = parts.findIndex((part) => {
    length += spokenWidth(part) + 2;
    return length > LONGEST_READING;
  });
  if (over === 0) return parts.slice(0, 1).map((part) => ({ ...part, text: part.text.slice(0, longest(part.text)) }));
  return over > 0 ? parts.slice(0, over) : parts;
}

function addToken(words: ReadWord[], token: Token, parts: readonly Part[], joined: boolean, last: boolean): void {
  if (opensBracket(token.before) && !isAreaCode(token)) punctuateLast(words, ",");
  const listNumber = words.length === 0 && /^\d+$/.test(token.text);
  // The bracket of "401(k)" belongs to the word.
  const marks = token.text.includes("(") ? token.after.replace(/^\)/, "") : token.after;
  const after = last ? spokenPunctuation(withoutClosers(marks)) : innerPunctuation(marks, listNumber);
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
const isAreaCode = (token: Token): boolean =>
  /^\d+$/.test(token.text) ? token.after.startsWith(")") : /^\d{3}\)-\d/.test(token.text);

/** A closing bracket at the end of a sentence adds no pause. */
const withoutClosers = (after: string): string => after.replace(/[)\]}）】|]/g, "");

function punctuateLast(words: ReadWord[], mark: string): void {
  const last = words.at(-1);
  if (last === undefined || mark === "" || last.word.after !== "") return;
  words[words.length - 1] = { ...last, word: { ...last.word, after: mark } };
}
