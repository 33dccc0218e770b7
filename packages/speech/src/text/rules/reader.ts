import type { Token } from "../tokens.ts";
import type { Reading } from "./rule.ts";

/** How a language reads numbers, dates, money, abbreviations and so on in words. */
export interface Reader {
  /**
   * Tokens that are one thing although spaces are inside it, as one token: "10 000". It may only join neighbours without
   * punctuation between, so that live text is joined like a whole one.
   */
  readonly join?: (tokens: readonly Token[]) => readonly Token[];
  /** The spoken form of one or more tokens from `index` on. */
  readonly read: (tokens: readonly Token[], index: number) => Reading;
  /** The names of letters, as the phonemizer takes them. Left out: with dots between. */
  readonly spell?: (letters: string) => string;
}

/** A language with reading rules. Each folder of a language exports one. */
export interface Language {
  /** The first part of its BCP 47 tags: "es" of "es-419". */
  readonly code: string;
  /** The reader for a tag, which may name a region: "pt-br". */
  readonly reader: (tag: string) => Reader;
}
