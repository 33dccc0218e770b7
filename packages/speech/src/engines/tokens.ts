import type { PronouncedWord } from "../g2p/pronounce.ts";
import type { WordTiming } from "./engine.ts";

/** A symbol of an engine's alphabet, and the word of the chunk that it belongs to (-1: none). */
export interface PhonemeToken {
  readonly id: number;
  readonly word: number;
  /** The end of a sentence that another one follows: there is a pause here. */
  readonly pause?: true;
}

/** The input symbols of an engine. */
export interface Alphabet {
  id(symbol: string): number | undefined;
  /** Punctuation in this engine's symbols; "" where it has none. */
  punctuation(mark: string): string;
  /** The symbols of a word's phonemes. */
  spell(phonemes: readonly string[]): string;
}

/** The tokens of a chunk: words separated by spaces unless they are joined, punctuation right after its word, without unknown symbols. */
export function tokenize(words: readonly PronouncedWord[], alphabet: Alphabet): PhonemeToken[] {
  const tokens: PhonemeToken[] = [];
  const add = (symbol: string, word: number) => {
    const id = alphabet.id(symbol);
    if (id !== undefined) tokens.push({ id, word });
  };
  words.forEach((pronounced, index) => {
    if (tokens.length > 0 && pronounced.joined !== true) add(" ", -1);
    for (const symbol of alphabet.spell(pronounced.phonemes).normalize("NFD")) add(symbol, index);
    const marks = alphabet.punctuation(pronounced.after);
    for (const symbol of marks) add(symbol, -1);
    const last = tokens.at(-1);
    if (/[.!?]/.test(marks) && last && index < words.length - 1) tokens[tokens.length - 1] = { ...last, pause: true };
  });
  return tokens;
}

/** When each word is spoken, from the duration of each token and the start of the first. */
export function wordTimings(
  tokens: readonly PhonemeToken[],
  seconds: (token: number) => number,
  begin = 0,
): WordTiming[] {
  const timings: { word: number; start: number; end: number }[] = [];
  let now = begin;
  tokens.forEach((token, index) => {
    const end = now + seconds(index);
    const last = timings.at(-1);
    if (token.word >= 0) {
      if (last?.word === token.word) last.end = end;
      else timings.push({ word: token.word, start: Math.max(begin, now), end });
    }
    now = end;
  });
  return timings;
}
