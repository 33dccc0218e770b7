import type { Allocate } from "../lib/scratch.ts";
import type { Boundary } from "../text/types.ts";
import { type ChunkTrimmer, createChunkTrimmer } from "./chunk-trimmer.ts";

/** Seconds of silence put between two chunks, at a speed of 1. */
export const PAUSE_SECONDS: Readonly<Record<Boundary, number>> = {
  phrase: 0,
  clause: 0.12,
  sentence: 0.35,
  paragraph: 0.6,
};
/** Silence after the last chunk: some players cut off the end of a file. */
export const TAIL_SECONDS = 0.1;
/** The maximum of several breaks in a row. */
export const MAX_PAUSE_SECONDS = 30;

export interface JoinerOptions {
  readonly sampleRate: number;
  /** Faster speech makes shorter pauses. */
  readonly speed?: number;
  /** Where results are written; by default each has memory of its own. */
  readonly allocate?: Allocate | undefined;
}

export interface ChunkPlacement {
  /** The position in the output, in samples, of the chunk's first kept sample. */
  readonly start: number;
  /** Samples trimmed from its start: the engine's sample n is at `start + n − headTrimmed`. */
  readonly headTrimmed: number;
}

/** Joins chunks of speech into one stream. Every call returns the samples that are ready. */
export interface Joiner {
  /** Returns the pause after the previous chunk. */
  startChunk(): Float32Array;
  push(samples: Float32Array): Float32Array;
  endChunk(boundary: Boundary, pauseAfter: number): Float32Array;
  /** Silence between chunks while the next one is not known yet. It counts towards the pause before that chunk. */
  addSilence(seconds: number): Float32Array;
  /** After the last chunk: a short tail instead of the pause of its boundary. A pause that the text requests is kept. */
  finish(): Float32Array;
  /** The placement of the current chunk; undefined until its first sound or its end. */
  readonly placement: ChunkPlacement | undefined;
}

export function createJoiner({ sampleRate, speed = 1, allocate }: JoinerOptions): Joiner {
  let position = 0;
  let start = 0;
  let trimmer: ChunkTrimmer | undefined;
  let chunkOpen = false;
  let spoken = false;
  /** Since the last sound: the pauses in seconds, and the samples of silence that were returned. */
  let boundaryPause = 0;
  let requestedPause = 0;
  let silenceReturned = 0;

  function emit(samples: Float32Array): Float32Array {
    position += samples.length;
    return samples;
  }

  function pause(boundarySeconds: number): Float32Array {
    const seconds = Math.min(MAX_PAUSE_SECONDS, ((spoken ? boundarySeconds : 0) + requestedPause) / speed);
    const silence = new Float32Array(Math.max(0, Math.round(seconds * sampleRate) - silenceReturned));
    silenceReturned += silence.length;
    return emit(silence);
  }

  function openTrimmer(): ChunkTrimmer {
    if (!chunkOpen || trimmer === undefined) throw new Error("no chunk has been started");
    return trimmer;
  }

  return {
    startChunk() {
      if (chunkOpen) throw new Error("the last chunk has not been ended");
      chunkOpen = true;
      trimmer = createChunkTrimmer(sampleRate, allocate);
      const silence = pause(boundaryPause);
      start = position;
      return silence;
    },
    push(samples) {
      return emit(openTrimmer().push(samples));
    },
    endChunk(boundary, pauseAfter) {
      const end = openTrimmer().end();
      chunkOpen = false;
      if (end.spoken) {
        spoken = true;
        boundaryPause = PAUSE_SECONDS[boundary];
        requestedPause = pauseAfter;
        silenceReturned = end.excessSilence;
      } else {
        // An empty chunk adds no second boundary.
        boundaryPause = Math.max(boundaryPause, PAUSE_SECONDS[boundary]);
        requestedPause += pauseAfter;
      }
      return emit(end.samples);
    },
    addSilence(seconds) {
      if (chunkOpen) throw new Error("the last chunk has not been ended");
      const silence = new Float32Array(Math.round(seconds * sampleRate));
      silenceReturned += silence.length;
      return emit(silence);
    },
    finish() {
      if (chunkOpen) throw new Error("the last chunk has not been ended");
      return pause(TAIL_SECONDS);
    },
    get placement() {
      const headTrimmed = trimmer?.headTrimmed;
      return headTrimmed === undefined ? undefined : { start, headTrimmed };
    },
  };
}
