import type { PronouncedWord } from "../g2p/pronounce.ts";
import type { WordTiming } from "./engine.ts";

/** A symbol of an engine's alphabet, and the word of the chunk that it belongs to (-1: to none). */
export interface PhonemeToken {
  readonly id: number;
  readonly word: number;
  /** The end of a sentence with another one behind it: a reader pauses here. */
  readonly pause?: true;
}

/** How an engine spells what is to be said. */
export interface Alphabet {
  id(symbol: string): number | undefined;
  /** Punctuation as this engine knows it; "" where it knows none. */
  punctuation(mark: string): string;
  /** Turns espeak's phonemes of a word into this engine's symbols. */
  spell(phonemes: readonly string[]): string;
}

/** The tokens of a chunk: words parted by spaces, punctuation right after its word, unknown symbols left out. */
export function tokenize(words: readonly PronouncedWord[], alphabet: Alphabet): PhonemeToken[] {
  const tokens: PhonemeToken[] = [];
  const put = (symbol: string, word: number) => {
    const id = alphabet.id(symbol);
    if (id !== undefined) tokens.push({ id, word });
  };
  words.forEach((pronounced, index) => {
    if (tokens.length > 0) put(" ", -1);
    for (const symbol of alphabet.spell(pronounced.phonemes).normalize("NFD")) put(symbol, index);
    const marks = alphabet.punctuation(pronounced.after);
    for (const symbol of marks) put(symbol, -1);
    const last = tokens.at(-1);
    if (/[.!?]/.test(marks) && last && index < words.length - 1) tokens[tokens.length - 1] = { ...last, pause: true };
  });
  return tokens;
}

/** When each word sounds, from how long each token does and when the first begins. */
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
