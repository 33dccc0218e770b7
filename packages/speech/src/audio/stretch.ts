/*
 * Waveform-similarity overlap-add: the output is put together from pieces of the input, each faded into the next, and
 * each taken from where the input looks most like what would have followed the piece before. So periods of the voice
 * are left out or repeated whole, and the pitch stays.
 */

/** How long a piece fades in; it fades out as long again. Twice this is understood a little less. */
const FADE_SECONDS = 0.01;
/** How far from its due place a piece may be taken, both ways: together a whole period of a voice of 63 Hz. */
const SEARCH_SECONDS = 0.008;
/** The search looks at every fourth place with a quarter of the samples first, then at all around the best … */
const COARSE = 4;
/** … and around those that are nearly as good. */
const ALIKE = 0.9;

const EMPTY = new Float32Array(0);

export interface StretcherOptions {
  readonly sampleRate: number;
  /** 2: half as long. */
  readonly speed: number;
}

export interface Stretcher {
  /** Takes the next samples, gives those that are ready. At most 50 ms of input wait for what follows. */
  push(samples: Float32Array): Float32Array;
  /** Ends the stream, maybe with these last samples: gives the rest. All output has round(input / speed) samples. */
  flush(last?: Float32Array): Float32Array;
}

/**
 * Makes speech faster or slower at the same pitch. What sounds at time t of the input sounds at t / speed of the output,
 * give or take a piece, and the result does not depend on how the input was cut into pushes.
 */
export function createStretcher({ sampleRate, speed }: StretcherOptions): Stretcher {
  if (!(speed >= 0.25 && speed <= 4)) throw new RangeError(`speed ${speed} is not between 0.25 and 4`);
  if (speed === 1) return { push: (samples) => samples, flush: (last = EMPTY) => last };

  const fade = Math.round(sampleRate * FADE_SECONDS);
  const reach = Math.round(sampleRate * SEARCH_SECONDS);
  const rising = Float32Array.from({ length: fade }, (_, i) => 0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / fade));
  const search = createSearch(fade, reach);

  /** The input from sample `start` on, as far as it is still needed. */
  let kept: Float32Array = EMPTY;
  let start = 0;
  let received = 0;
  let produced = 0;
  /** What follows the last piece in the input: it fades out while the next piece fades in. */
  let following = 0;

  /** Where the piece that is next should begin, so that its middle keeps the time of the output. */
  const due = () => Math.round((produced + fade) * speed) - fade;

  /** Puts the next `count` samples out. */
  function add(output: Float32Array, at: number, count: number): void {
    const wanted = due();
    const high = Math.max(0, Math.min(wanted + reach, received - count));
    const low = Math.min(Math.max(0, wanted - reach), high);
    const nearest = Math.max(low, Math.min(wanted, high));
    const piece = start + search(kept, following - start, low - start, high - start, nearest - start);
    for (let i = 0; i < count; i++) {
      // Beyond the end of the input there is silence.
      const falling = kept[following - start + i] ?? 0;
      const coming = kept[piece - start + i] ?? 0;
      output[at + i] = falling + (coming - falling) * (rising[i] ?? 1);
    }
    produced += count;
    following = piece + fade;
  }

  /** Before this many samples are there, the next piece could not be chosen as freely as later. */
  const needed = () => Math.max(due() + reach, following) + fade;

  function push(samples: Float32Array): Float32Array {
    kept = concat(kept, samples);
    received += samples.length;
    const output = new Float32Array(Math.ceil((kept.length + fade) / speed) + fade);
    let length = 0;
    for (; needed() <= received; length += fade) add(output, length, fade);
    const from = Math.min(received, following, Math.max(0, due() - reach));
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
      return concat(ready, rest);
    },
  };
}

type Search = (samples: Float32Array, model: number, low: number, high: number, wanted: number) => number;

/**
 * Finds the place from `low` to `high` from which `length` samples look most like those from `model` on, whatever their
 * level. Where nothing looks alike (in silence), it is the wanted place.
 */
function createSearch(length: number, reach: number): Search {
  const coarseLength = Math.floor(length / COARSE);
  const coarseModel = new Float32Array(coarseLength);
  const coarseRange = new Float32Array(coarseLength + Math.ceil((2 * reach) / COARSE) + 1);
  const likeness = new Float64Array(Math.ceil((2 * reach) / COARSE) + 1);

  return (samples, model, low, high, wanted) => {
    // Places that lie whole coarse steps from the model, so that the model itself may be among them.
    const first = low + mod(model - low, COARSE);
    const places = Math.max(0, Math.floor((high - first) / COARSE) + 1);
    decimate(samples, model, coarseModel, coarseLength);
    decimate(samples, first, coarseRange, coarseLength + places - 1);
    let most = 0;
    for (let place = 0; place < places; place++) {
      likeness[place] = similarity(coarseModel, 0, coarseRange, place, coarseLength);
      most = Math.max(most, likeness[place] ?? 0);
    }
    if (most === 0) return wanted;

    let best = wanted;
    let bestLikeness = 0;
    for (let place = 0; place < places; place++) {
      const here = likeness[place] ?? 0;
      const before = place > 0 ? (likeness[place - 1] ?? 0) : 0;
      const after = place + 1 < places ? (likeness[place + 1] ?? 0) : 0;
      // Each period of a voice has its peak, and the best of them fits at a whole number of samples.
      if (here < ALIKE * most || here < before || here < after) continue;
      const middle = first + place * COARSE;
      for (let at = Math.max(low, middle - COARSE + 1); at <= Math.min(high, middle + COARSE - 1); at++) {
        const found = similarity(samples, model, samples, at, length);
        if (found > bestLikeness) {
          bestLikeness = found;
          best = at;
        }
      }
    }
    return best;
  };
}

/** The correlation of two stretches over the level of the second (that of the first is the same for all). */
function similarity(a: Float32Array, aStart: number, b: Float32Array, bStart: number, length: number): number {
  // Near the end of the input, what is not there counts as silence.
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

function concat(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
