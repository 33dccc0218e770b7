import { createActivityDetector } from "./voice-activity.ts";

/** Silence that stays before the first and after the last sound, for what is too soft to be noticed as one. */
export const LEAD_SECONDS = 0.03;
export const TRAIL_SECONDS = 0.04;
/** Length of the pieces that are judged, and of the fades at both ends. */
const HOP_SECONDS = 0.005;
/** Silence inside a chunk waits this long for more speech; then it leaves, whether it is the chunk's last or not. */
const MAX_HELD_SECONDS = 0.5;

const EMPTY = new Float32Array(0);

export interface ChunkTrimmer {
  push(samples: Float32Array): Float32Array;
  end(): TrimmedEnd;
  /** Samples cut from the chunk's head; undefined until it is known. */
  readonly headTrimmed: number | undefined;
}

export interface TrimmedEnd {
  readonly samples: Float32Array;
  /** Samples of silence at the end that could not be taken back, beyond the margin. */
  readonly excessSilence: number;
  /** False when the whole chunk was silent. */
  readonly spoken: boolean;
}

/**
 * Takes the silence off both ends of a chunk of speech while it streams through, and fades both ends from and to zero.
 * The result does not depend on how the chunk was cut into pushes.
 */
export function createChunkTrimmer(sampleRate: number): ChunkTrimmer {
  const samplesIn = (seconds: number) => Math.round(seconds * sampleRate);
  const lead = samplesIn(LEAD_SECONDS);
  const trail = samplesIn(TRAIL_SECONDS);
  const hop = samplesIn(HOP_SECONDS);
  const maxHeld = samplesIn(MAX_HELD_SECONDS);
  const detector = createActivityDetector(sampleRate);

  /** What came and has neither left nor been cut: never more than what may be held, plus one push. */
  let pending: Float32Array = EMPTY;
  /** Into `pending`: how far it has been judged, and where the last sound ended (before its start when that has left). */
  let judged = 0;
  let soundEnd = 0;
  let started = false;
  let cut = 0;
  let ended = false;

  function drop(count: number): void {
    pending = pending.subarray(count);
    judged -= count;
    soundEnd -= count;
  }

  function judge(to: number): void {
    if (detector.isActive(pending, judged, to)) {
      if (!started) {
        const silent = Math.max(0, judged - lead);
        drop(silent);
        cut += silent;
        to -= silent;
        started = true;
        fadeIn(pending.subarray(0, hop));
      }
      soundEnd = to;
    }
    judged = to;
  }

  function release(count: number): Float32Array {
    if (count <= 0) return EMPTY;
    const samples = pending.slice(0, count);
    drop(count);
    return samples;
  }

  return {
    push(samples) {
      pending = joined(pending, samples);
      while (judged + hop <= pending.length) judge(judged + hop);
      if (started) {
        // One hop of sound always stays, to be faded should the chunk end there.
        return release(Math.max(soundEnd - hop, pending.length - maxHeld));
      }
      const silent = Math.max(0, judged - lead);
      drop(silent);
      cut += silent;
      return EMPTY;
    },
    end() {
      ended = true;
      if (judged < pending.length) judge(pending.length);
      if (!started) {
        cut += pending.length;
        pending = EMPTY;
        return { samples: EMPTY, excessSilence: 0, spoken: false };
      }
      const wanted = soundEnd + trail;
      const samples = pending.slice(0, Math.max(wanted, hop));
      fadeOut(samples.subarray(Math.max(0, samples.length - hop)));
      return { samples, excessSilence: Math.max(0, samples.length - wanted), spoken: true };
    },
    get headTrimmed() {
      return started || ended ? cut : undefined;
    },
  };
}

function joined(first: Float32Array, second: Float32Array): Float32Array {
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function fadeIn(samples: Float32Array): void {
  for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] ?? 0) * raisedCosine(i / samples.length);
}

function fadeOut(samples: Float32Array): void {
  const { length } = samples;
  for (let i = 0; i < length; i++) samples[i] = (samples[i] ?? 0) * raisedCosine((length - 1 - i) / length);
}

/** From 0 to 1 without a corner at either end. */
function raisedCosine(x: number): number {
  return (1 - Math.cos(Math.PI * x)) / 2;
}
