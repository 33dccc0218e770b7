/*
 * Waveform-similarity overlap-add (WSOLA): the output consists of pieces of the input with cross-fades. Each piece is taken from
 * where the input is most similar to the natural continuation of the previous piece. So whole periods of the voice are dropped
 * or repeated, and the pitch stays the same.
 */

import { concatSamples } from "../lib/concat.ts";

/** The length of a cross-fade. Twice this is slightly less intelligible. */
const FADE_SECONDS = 0.01;
/** How far a piece may be from its nominal position, in both directions: together a period of a voice of 63 Hz. */
const SEARCH_SECONDS = 0.008;
/** The search checks every fourth position first, with a quarter of the samples, … */
const COARSE = 4;
/** … then all positions around the best ones: those with this share of the highest similarity. */
const NEARLY_BEST = 0.9;

const EMPTY = new Float32Array(0);

export interface StretcherOptions {
  readonly sampleRate: number;
  /** 2: half as long. */
  readonly speed: number;
}

export interface Stretcher {
  /** Returns the samples that are ready. At most 50 ms of input wait for the next call. */
  push(samples: Float32Array): Float32Array;
  /** Ends the stream, with these last samples: returns the rest. All output has round(input / speed) samples. */
  flush(last?: Float32Array): Float32Array;
}

/**
 * Makes speech faster or slower at the same pitch. Time t of the input is at about t / speed of the output, and the result does
 * not depend on how the input was divided into pushes.
 */
export function createStretcher({ sampleRate, speed }: StretcherOptions): Stretcher {
  if (!(speed >= 0.25 && speed <= 4)) throw new RangeError(`speed ${speed} is not between 0.25 and 4`);
  if (speed === 1) return { push: (samples) => samples, flush: (last = EMPTY) => last };

  const fade = Math.round(sampleRate * FADE_SECONDS);
  const reach = Math.round(sampleRate * SEARCH_SECONDS);
  const rising = Float32Array.from({ length: fade }, (_, i) => 0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / fade));
  const search = createSearch(fade, reach);

  /** The part of the input that is still needed, from sample `start` on. */
  let kept: Float32Array = EMPTY;
  let start = 0;
  let received = 0;
  let produced = 0;
  /** The position in the input after the last piece: from here it fades out while the next piece fades in. */
  let following = 0;

  /** The nominal start of the next piece. */
  const nominalStart = () => Math.round((produced + fade) * speed) - fade;

  /** Writes the next `count` samples. */
  function add(output: Float32Array, at: number, count: number): void {
    const nominal = nominalStart();
    const high = Math.max(0, Math.min(nominal + reach, received - count));
    const low = Math.min(Math.max(0, nominal - reach), high);
    const nearest = Math.max(low, Math.min(nominal, high));
    const piece = start + search(kept, following - start, low - start, high - start, nearest - start);
    for (let i = 0; i < count; i++) {
      // After the end of the input there is silence.
      const falling = kept[following - start + i] ?? 0;
      const coming = kept[piece - start + i] ?? 0;
      output[at + i] = falling + (coming - falling) * (rising[i] ?? 1);
    }
    produced += count;
    following = piece + fade;
  }

  /** Input samples that are needed before the next piece can be chosen. */
  const needed = () => Math.max(nominalStart() + reach, following) + fade;

  function push(samples: Float32Array): Float32Array {
    kept = concatSamples([kept, samples]);
    received += samples.length;
    const output = new Float32Array(Math.ceil((kept.length + fade) / speed) + fade);
    let length = 0;
    for (; needed() <= received; length += fade) add(output, length, fade);
    const from = Math.min(received, following, Math.max(0, nominalStart() - reach));
    kept = kept.subarray(from - start);
    start = from;
    return output.slice(0, length);
  }

  return {
    push,
    flush(last = EMPTY) {
      const ready = push(last);
      const rest = new Float32Array(Math.round(received / speed) - produced);
      for (let at = 0; at < rest.length; at += fade) add(rest, at, Math.min(fade, rest.length - at));
      kept = EMPTY;
      start = 0;
      received = 0;
      produced = 0;
      following = 0;
      return concatSamples([ready, rest]);
    },
  };
}

type Search = (samples: Float32Array, model: number, low: number, high: number, nominal: number) => number;

/**
 * Finds the position from `low` to `high` at which `length` samples are most similar to those at `model`, independent of their
 * level. In silence, where nothing is similar, it is the nominal position.
 */
function createSearch(length: number, reach: number): Search {
  const coarseLength = Math.floor(length / COARSE);
  const coarseModel = new Float32Array(coarseLength);
  const coarseRange = new Float32Array(coarseLength + Math.ceil((2 * reach) / COARSE) + 1);
  const similarities = new Float64Array(Math.ceil((2 * reach) / COARSE) + 1);

  return (samples, model, low, high, nominal) => {
    // Positions at whole coarse steps from the model, so that the model itself may be among them.
    const first = low + mod(model - low, COARSE);
    const positions = Math.max(0, Math.floor((high - first) / COARSE) + 1);
    decimate(samples, model, coarseModel, coarseLength);
    decimate(samples, first, coarseRange, coarseLength + positions - 1);
    let highest = 0;
    for (let position = 0; position < positions; position++) {
      similarities[position] = similarity(coarseModel, 0, coarseRange, position, coarseLength);
      highest = Math.max(highest, similarities[position] ?? 0);
    }
    if (highest === 0) return nominal;

    let best = nominal;
    let bestSimilarity = 0;
    for (let position = 0; position < positions; position++) {
      const here = similarities[position] ?? 0;
      const before = position > 0 ? (similarities[position - 1] ?? 0) : 0;
      const after = position + 1 < positions ? (similarities[position + 1] ?? 0) : 0;
      // Only local maxima: each period of the voice has one.
      if (here < NEARLY_BEST * highest || here < before || here < after) continue;
      const middle = first + position * COARSE;
      for (let at = Math.max(low, middle - COARSE + 1); at <= Math.min(high, middle + COARSE - 1); at++) {
        const found = similarity(samples, model, samples, at, length);
        if (found > bestSimilarity) {
          bestSimilarity = found;
          best = at;
        }
      }
    }
    return best;
  };
}

/** The correlation of two pieces, divided by the level of the second (that of the first is constant). */
function similarity(a: Float32Array, aStart: number, b: Float32Array, bStart: number, length: number): number {
  // After the end of the input there is silence.
  const count = Math.min(length, a.length - aStart, b.length - bStart);
  let product = 0;
  let energy = 1e-9;
  for (let i = 0; i < count; i++) {
    const value = b[bStart + i] ?? 0;
    product += (a[aStart + i] ?? 0) * value;
    energy += value * value;
  }
  return product / Math.sqrt(energy);
}

/** Sums of COARSE samples each. */
function decimate(samples: Float32Array, from: number, into: Float32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let j = 0; j < COARSE; j++) sum += samples[from + i * COARSE + j] ?? 0;
    into[i] = sum;
  }
}

const mod = (value: number, by: number) => ((value % by) + by) % by;
