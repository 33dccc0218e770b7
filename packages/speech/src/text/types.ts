/** One spoken word. Several may come from one written word: "$3.50" is spoken in five. */
export interface SpokenWord {
  /**
   * The spoken form in letters, apostrophes and hyphens: "three", "twenty-one". Letters that are spelled have dots between
   * them ("F.B.I"), which espeak treats as one word. Text that is not normalized keeps its digits and signs.
   */
  readonly text: string;
  /** The written word that it stands for, as a range of the caller's text (UTF-16 units). */
  readonly from: number;
  readonly to: number;
  /** IPA from a phoneme mark in the text; it is spoken as it is, `text` is only a label. */
  readonly phonemes?: string;
  /** The language that it is read in, as espeak names it, where this is not that of its chunk. */
  readonly language?: string;
  /** The punctuation after the word, which affects how it is spoken: "" or one of , . ; : ! ? — … */
  readonly after: string;
}

/** A step of the work was done, and more are needed. Other requests should have their turn before the next one. */
export type Unfinished = "unfinished";

/**
 * What follows a chunk; it determines the pause after it. A phrase ends without a pause: the text was only too long for one
 * chunk.
 */
export type Boundary = "phrase" | "clause" | "sentence" | "paragraph";

/** A piece of text that an engine synthesizes in one call. */
export interface SpeechChunk {
  readonly words: readonly SpokenWord[];
  /** The part of the caller's text that this chunk covers. Chunks cover the text without gaps or overlaps. */
  readonly from: number;
  readonly to: number;
  /** That part, as written. */
  readonly text: string;
  /** The N of the latest `<|speaker:N|>`, 0 before any. */
  readonly speaker: number;
  /** Multiplied with the speed of the request, where a mark changes it. */
  readonly speed?: number;
  /** dB, added to the volume of the request, where a mark changes it. */
  readonly volume?: number;
  /** The language of its words, as espeak names it. */
  readonly language: string;
  readonly boundary: Boundary;
  /** Seconds of silence for pause marks after this chunk. */
  readonly pauseAfter: number;
}
