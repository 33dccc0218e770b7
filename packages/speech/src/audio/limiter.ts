import { type Allocate, allocateNew } from "../lib/scratch.ts";

/** The highest sample value: −0.3 dBFS, so that a lossy codec does not clip either. */
export const LIMITER_CEILING = Math.fround(10 ** (-0.3 / 20));

const LOOK_AHEAD_SECONDS = 0.004;
const RELEASE_SECONDS = 0.08;

export interface Limiter {
  push(samples: Float32Array): Float32Array;
  /** Ends the stream: returns the samples that the look-ahead held back. */
  flush(): Float32Array;
}

/**
 * Reduces the gain smoothly before a peak, so that no sample exceeds the ceiling. A signal below the ceiling is unchanged bit for
 * bit. The output has as many samples as the input.
 */
export function createLimiter(sampleRate: number, allocate: Allocate = allocateNew): Limiter {
  const lookAhead = Math.round(sampleRate * LOOK_AHEAD_SECONDS);
  const span = lookAhead + 1;
  const release = 1 - Math.exp(-1 / (sampleRate * RELEASE_SECONDS));
  const minimum = slidingMinimum(span);
  const average = slidingAverage(span);
  const delayed = new Float32Array(lookAhead);
  let at = 0;
  let received = 0;
  let gain = 1;
  /** For how many samples the gain has been 1. */
  let idle = span;

  function delay(sample: number): number {
    const out = delayed[at] ?? 0;
    delayed[at] = sample;
    at = at + 1 === lookAhead ? 0 : at + 1;
    return out;
  }

  function step(sample: number): number {
    const level = Math.abs(sample);
    // After a peak, once the gain has been 1 for long enough.
    if (idle >= span && level <= LIMITER_CEILING) return delay(sample);
    // All gains in the span around a peak are at most the gain that the peak needs, and so is their average.
    const needed = minimum(level > LIMITER_CEILING ? LIMITER_CEILING / level : 1);
    gain = Math.min(needed, gain + (1 - gain) * release);
    // The exponential only approaches 1; the rest is a change of −80 dB.
    if (gain > 1 - 1e-4) gain = 1;
    idle = gain === 1 ? idle + 1 : 0;
    // Rounding could exceed the ceiling by the last bit.
    return Math.max(-LIMITER_CEILING, Math.min(LIMITER_CEILING, delay(sample) * average(gain)));
  }

  /** The samples that are delayed, oldest first, and then as many new ones as make room for the rest. */
  function pass(samples: Float32Array, skip: number): Float32Array {
    const output = allocate(samples.length - skip);
    const waiting = lookAhead - skip;
    for (let i = skip; i < lookAhead; i++) output[i - skip] = delayed[(at + i) % lookAhead] ?? 0;
    output.set(samples.subarray(0, samples.length - lookAhead), waiting);
    delayed.set(samples.subarray(samples.length - lookAhead));
    at = 0;
    received += samples.length;
    return output;
  }

  return {
    push(samples) {
      const skip = Math.max(0, Math.min(samples.length, lookAhead - received));
      // Most speech never reaches the ceiling: whole pieces of it are passed on as they are.
      if (idle >= span && samples.length >= lookAhead && isQuiet(samples)) return pass(samples, skip);
      const output = allocate(samples.length - skip);
      for (let i = 0; i < samples.length; i++) {
        const out = step(samples[i] ?? 0);
        if (i >= skip) output[i - skip] = out;
      }
      received += samples.length;
      return output;
    },
    flush() {
      const skip = Math.max(0, lookAhead - received);
      const output = allocate(lookAhead - skip);
      for (let i = 0; i < lookAhead; i++) {
        const out = step(0);
        if (i >= skip) output[i - skip] = out;
      }
      received = 0;
      return output;
    },
  };
}

function isQuiet(samples: Float32Array): boolean {
  for (let i = 0; i < samples.length; i++) if (!(Math.abs(samples[i] ?? 0) <= LIMITER_CEILING)) return false;
  return true;
}

/** The minimum of the last `span` values, by a queue of rising candidates. */
function slidingMinimum(span: number): (value: number) => number {
  const values = new Float64Array(span);
  const times = new Float64Array(span);
  let head = 0;
  let count = 0;
  let now = 0;
  const wrap = (index: number) => (index >= span ? index - span : index);
  return (value) => {
    if (count > 0 && (times[head] ?? 0) <= now - span) {
      head = wrap(head + 1);
      count--;
    }
    while (count > 0 && (values[wrap(head + count - 1)] ?? 0) >= value) count--;
    const tail = wrap(head + count);
    values[tail] = value;
    times[tail] = now++;
    count++;
    return values[head] ?? value;
  };
}

/** The mean of the last `span` values, initially 1. */
function slidingAverage(span: number): (value: number) => number {
  const values = new Float64Array(span).fill(1);
  let at = 0;
  let sum = span;
  return (value) => {
    sum += value - (values[at] ?? 1);
    values[at] = value;
    if (++at === span) {
      // Summed up again in each round, so that rounding errors do not accumulate.
      at = 0;
      sum = 0;
      for (const each of values) sum += each;
    }
    return sum / span;
  };
}
