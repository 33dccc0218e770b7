/** One spoken word. Several may come from one written word: "$3.50" is spoken in five. */
export interface SpokenWord {
  /**
   * What is said, in letters, apostrophes and hyphens: "three", "twenty-one". Letters that are said by name have dots
   * between them ("F.B.I"), which espeak takes for one word. Text that is not normalised keeps its digits and signs.
   */
  readonly text: string;
  /** The written word that it stands for, as a range of the caller's text (UTF-16 units). */
  readonly from: number;
  readonly to: number;
  /** IPA that the caller gave by a phoneme mark; it is spoken as it is, `text` is only its label. */
  readonly phonemes?: string;
  /** Punctuation right after the word that shapes how it is spoken: "" or one of , . ; : ! ? — … */
  readonly after: string;
}

/**
 * What follows a chunk; it decides how long the pause at the join is. A phrase ends where nobody would pause: the text
 * was only too long to be spoken in one go.
 */
export type Boundary = "phrase" | "clause" | "sentence" | "paragraph";

/** A piece of text that an engine speaks in one go. */
export interface SpeechChunk {
  readonly words: readonly SpokenWord[];
  /** The part of the caller's text that this chunk covers. Chunks tile the text: none is lost, none is doubled. */
  readonly from: number;
  readonly to: number;
  /** That part, as it is written. */
  readonly text: string;
  /** The N of the latest `<|speaker:N|>`, 0 before any. */
  readonly speaker: number;
  readonly boundary: Boundary;
  /** Seconds of silence that a [break] or [long-break] asks for after this chunk. */
  readonly pauseAfter: number;
}
