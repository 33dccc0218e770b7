import type { Boundary } from "../text/types.ts";
import { type ChunkTrimmer, createChunkTrimmer } from "./chunk-trimmer.ts";

/** Seconds of silence put between two chunks, at a speed of 1. */
export const PAUSE_SECONDS: Readonly<Record<Boundary, number>> = {
  phrase: 0,
  clause: 0.12,
  sentence: 0.35,
  paragraph: 0.6,
};
/** Silence after the last chunk: some players swallow the last moment of a file. */
export const TAIL_SECONDS = 0.1;
/** However many breaks a text asks for in a row. */
export const MAX_PAUSE_SECONDS = 30;

export interface JoinerOptions {
  readonly sampleRate: number;
  /** Faster speech makes shorter pauses. */
  readonly speed?: number;
}

export interface ChunkPlacement {
  /** Where in the output, in samples, the chunk's first kept sample is. */
  readonly start: number;
  /** Samples cut from its head: what the engine put at sample n is at `start + n − headTrimmed`. */
  readonly headTrimmed: number;
}

/** Joins chunks of speech into one stream. Every call gives the samples that are ready to leave. */
export interface Joiner {
  /** Gives the pause that the chunk before is owed. */
  startChunk(): Float32Array;
  push(samples: Float32Array): Float32Array;
  endChunk(boundary: Boundary, pauseAfter: number): Float32Array;
  /** Between chunks, when it is not known when the next one comes: silence, which counts towards the pause before it. */
  rest(seconds: number): Float32Array;
  /** After the last chunk: a short tail in place of its boundary's pause. A pause that the text asked for stays. */
  finish(): Float32Array;
  /** Of the chunk started last; undefined until its first sound or its end. */
  readonly placement: ChunkPlacement | undefined;
}

export function createJoiner({ sampleRate, speed = 1 }: JoinerOptions): Joiner {
  let position = 0;
  let start = 0;
  let trimmer: ChunkTrimmer | undefined;
  let chunkOpen = false;
  let spoken = false;
  /** Since the last sound: what is asked for, in seconds, and how many samples of it have left. */
  let boundaryPause = 0;
  let askedPause = 0;
  let paid = 0;

  function emit(samples: Float32Array): Float32Array {
    position += samples.length;
    return samples;
  }

  function pause(boundarySeconds: number): Float32Array {
    const seconds = Math.min(MAX_PAUSE_SECONDS, ((spoken ? boundarySeconds : 0) + askedPause) / speed);
    const silence = new Float32Array(Math.max(0, Math.round(seconds * sampleRate) - paid));
    paid += silence.length;
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
      trimmer = createChunkTrimmer(sampleRate);
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
        askedPause = pauseAfter;
        paid = end.excessSilence;
      } else {
        // Two chunks with nothing between them are one boundary, not two.
        boundaryPause = Math.max(boundaryPause, PAUSE_SECONDS[boundary]);
        askedPause += pauseAfter;
      }
      return emit(end.samples);
    },
    rest(seconds) {
      if (chunkOpen) throw new Error("the last chunk has not been ended");
      const silence = new Float32Array(Math.round(seconds * sampleRate));
      paid += silence.length;
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
