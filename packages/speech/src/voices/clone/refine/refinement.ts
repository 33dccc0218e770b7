import type { KokoroFiles } from "../../../engines/kokoro/files.ts";
import type { ClonedSound } from "../make-voice.ts";
import type { DecodedSpeech } from "../read-speech.ts";
import type { XVectorFiles } from "../xvector/layers.ts";

/** What the process that refines voices loads. */
export interface RefinementSpec {
  readonly kokoro: KokoroFiles;
  readonly xvector: XVectorFiles;
}

/** A voice would take days with less. */
export const LEAST_SHARE = 0.01;

/** One voice. */
export interface RefinementJob {
  /** As the voice encoder made it. */
  readonly voice: ClonedSound;
  readonly recordings: readonly DecodedSpeech[];
  /** The share of one core that the job may use, from `LEAST_SHARE` to 1. */
  readonly share: number;
}

export interface RefinementResult {
  /** Undefined where recordings that were left out do not agree: the voice stays as it is. */
  readonly refined: RefinedNumbers | undefined;
  /** Undefined where there is too little speech. */
  readonly similarity: RefinementSimilarity | undefined;
}

export interface RefinedNumbers {
  /** The timbre. */
  readonly embedding: Float32Array;
  readonly decoderOffsets: Float32Array;
}

/** The mean cosine, over four speaker networks, of recordings that were left out in turn, and voices that were made without them. */
export interface RefinementSimilarity {
  readonly before: number;
  /** Equal to `before` where the voice stays as it is. */
  readonly after: number;
}
