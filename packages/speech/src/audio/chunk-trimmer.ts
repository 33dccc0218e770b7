import { concatSamples } from "../lib/concat.ts";
import type { Allocate } from "../lib/scratch.ts";
import { createActivityDetector } from "./voice-activity.ts";

/** Silence that is kept before the first and after the last sound, for sounds too quiet to detect. */
export const LEAD_SECONDS = 0.03;
const TRAIL_SECONDS = 0.04;
/** The length of the pieces that are checked for sound, and of the fades at both ends. */
const HOP_SECONDS = 0.005;
/** Silence inside a chunk is held back for this long; then it is released, even if it is the end of the chunk. */
const MAX_HELD_SECONDS = 0.5;

const EMPTY = new Float32Array(0);

export interface ChunkTrimmer {
  push(samples: Float32Array): Float32Array;
  end(): TrimmedEnd;
  /** Samples trimmed from the start of the chunk; undefined until it is known. */
  readonly headTrimmed: number | undefined;
}

export interface TrimmedEnd {
  readonly samples: Float32Array;
  /** Samples of silence at the end, beyond the margin, that had already been released. */
  readonly excessSilence: number;
  /** False when the whole chunk was silent. */
  readonly spoken: boolean;
}

/**
 * Trims the silence at both ends of a chunk of speech while it streams through, and fades both ends. The result does not
 * depend on how the chunk was divided into pushes.
 */
export function createChunkTrimmer(sampleRate: number, allocate?: Allocate): ChunkTrimmer {
  const samplesIn = (seconds: number) => Math.round(seconds * sampleRate);
  const lead = samplesIn(LEAD_SECONDS);
  const trail = samplesIn(TRAIL_SECONDS);
  const hop = samplesIn(HOP_SECONDS);
  const maxHeld = samplesIn(MAX_HELD_SECONDS);
  const detector = createActivityDetector(sampleRate);

  /** Samples that were neither released nor trimmed: at most `maxHeld` and one push. */
  let pending: Float32Array = EMPTY;
  /** Indexes into `pending`: how far it was checked, and the end of the last sound (negative when that was released). */
  let checked = 0;
  let soundEnd = 0;
  let started = false;
  let trimmed = 0;
  let ended = false;

  function drop(count: number): void {
    pending = pending.subarray(count);
    checked -= count;
    soundEnd -= count;
  }

  function check(to: number): void {
    if (detector.isActive(pending, checked, to)) {
      if (!started) {
        const silent = Math.max(0, checked - lead);
        drop(silent);
        trimmed += silent;
        to -= silent;
        started = true;
        fadeIn(pending.subarray(0, hop));
      }
      soundEnd = to;
    }
    checked = to;
  }

  function release(count: number): Float32Array {
    if (count <= 0) return EMPTY;
    const samples = pending.subarray(0, count);
    drop(count);
    return samples;
  }

  return {
    push(samples) {
      pending = concatSamples([pending, samples], allocate);
      while (checked + hop <= pending.length) check(checked + hop);
      if (started) {
        // One hop of sound is always kept, to be faded if the chunk ends there.
        return release(Math.max(soundEnd - hop, pending.length - maxHeld));
      }
      const silent = Math.max(0, checked - lead);
      drop(silent);
      trimmed += silent;
      return EMPTY;
    },
    end() {
      ended = true;
      if (checked < pending.length) check(pending.length);
      if (!started) {
        trimmed += pending.length;
        pending = EMPTY;
        return { samples: EMPTY, excessSilence: 0, spoken: false };
      }
      const length = soundEnd + trail;
      const samples = pending.slice(0, Math.max(length, hop));
      fadeOut(samples.subarray(Math.max(0, samples.length - hop)));
      return { samples, excessSilence: Math.max(0, samples.length - length), spoken: true };
    },
    get headTrimmed() {
      return started || ended ? trimmed : undefined;
    },
  };
}

function fadeIn(samples: Float32Array): void {
  for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] ?? 0) * raisedCosine(i / samples.length);
}

function fadeOut(samples: Float32Array): void {
  const { length } = samples;
  for (let i = 0; i < length; i++) samples[i] = (samples[i] ?? 0) * raisedCosine((length - 1 - i) / length);
}

/** From 0 to 1, smooth at both ends. */
function raisedCosine(x: number): number {
  return (1 - Math.cos(Math.PI * x)) / 2;
}
