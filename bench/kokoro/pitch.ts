import { fftOf, RATE } from "./stft.ts";

const STEP = RATE / 100;
const FRAME = 1200;
const SHORTEST = RATE / 500;
const LONGEST = RATE / 60;
const SIZE = 2048;
const MIN_ENERGY = FRAME * 1e-5;

/** The pitch each 10 ms in Hz; 0 where there is none. By normalized autocorrelation, and the best path through its peaks. */
export function pitchOf(samples: Float32Array): Float64Array {
  const frames = Math.max(0, Math.floor((samples.length - 1) / STEP));
  const fft = fftOf(SIZE);
  const re = new Float64Array(SIZE);
  const im = new Float64Array(SIZE);
  const wave = new Float64Array(FRAME + LONGEST);
  const score = new Float64Array(LONGEST);
  const candidates = Array.from({ length: frames }, (_, index) => {
    const start = index * STEP - FRAME / 2;
    let energy = 0;
    for (let i = 0; i < wave.length; i++) {
      wave[i] = samples[start + i] ?? 0;
      if (i < FRAME) energy += (wave[i] ?? 0) ** 2;
    }
    if (energy < MIN_ENERGY) return [];
    correlate(wave, re, im, fft);
    let other = energy;
    for (let lag = 0; lag < LONGEST; lag++) {
      score[lag] = (re[lag] ?? 0) / SIZE / Math.sqrt(energy * other + 1e-12);
      other += (wave[FRAME + lag] ?? 0) ** 2 - (wave[lag] ?? 0) ** 2;
    }
    return candidatesIn(score);
  });
  return bestPath(candidates);
}

/** The products of the frame's first part with itself, shifted; in `re`, times SIZE. */
function correlate(
  wave: Float64Array,
  re: Float64Array,
  im: Float64Array,
  fft: (a: Float64Array, b: Float64Array) => void,
) {
  re.fill(0);
  im.fill(0);
  re.set(wave);
  im.set(wave.subarray(0, FRAME));
  fft(re, im);
  const products = new Float64Array(2 * SIZE);
  for (let k = 0; k < SIZE; k++) {
    const j = (SIZE - k) % SIZE;
    const [a, b, c, d] = [re[k] ?? 0, im[k] ?? 0, re[j] ?? 0, im[j] ?? 0];
    const [wr, wi, br, bi] = [(a + c) / 2, (b - d) / 2, (b + d) / 2, (c - a) / 2];
    products[k] = br * wr + bi * wi;
    products[SIZE + k] = br * wi - bi * wr;
  }
  re.set(products.subarray(0, SIZE));
  im.set(products.subarray(SIZE));
  fft(im, re);
}

interface Candidate {
  readonly hertz: number;
  readonly strength: number;
}

const MAX_CANDIDATES = 6;
/* Praat's costs: for a lower octave, for a leap of an octave, for a change between voice and none, and for no voice. */
const LOWER = 0.01;
const LEAP = 0.35;
const CHANGE = 0.14;
const UNVOICED = 0.45;

/** The periods that a frame may have, the best first. Multiples of a voice's period are as good by nature, so lower ones cost. */
function candidatesIn(score: Float64Array): Candidate[] {
  const found: Candidate[] = [];
  for (let lag = SHORTEST + 1; lag < LONGEST - 1; lag++) {
    const here = score[lag] ?? 0;
    if (here < (score[lag - 1] ?? 0) || here < (score[lag + 1] ?? 0)) continue;
    found.push({ hertz: RATE / refined(score, lag), strength: here - LOWER * Math.log2(lag / SHORTEST) });
  }
  return found.sort((a, b) => b.strength - a.strength).slice(0, MAX_CANDIDATES);
}

const NO_VOICE: Candidate = { hertz: 0, strength: UNVOICED };

/** Each frame for itself would leap an octave now and then, where two periods differ a little. */
function bestPath(frames: readonly (readonly Candidate[])[]): Float64Array {
  const steps: { readonly candidate: Candidate; readonly total: number; readonly back: number }[][] = [];
  for (const [at, candidates] of frames.entries()) {
    const before = steps[at - 1] ?? [];
    steps.push(
      [...candidates, NO_VOICE].map((candidate) => {
        let [total, back] = [before.length === 0 ? 0 : Number.NEGATIVE_INFINITY, 0];
        for (const [index, from] of before.entries()) {
          const reached = from.total - costOf(from.candidate, candidate);
          if (reached > total) [total, back] = [reached, index];
        }
        return { candidate, total: total + candidate.strength, back };
      }),
    );
  }
  const path = new Float64Array(frames.length);
  const last = steps.at(-1) ?? [];
  let index = last.reduce((best, step, place) => (step.total > (last[best]?.total ?? 0) ? place : best), 0);
  for (let at = frames.length - 1; at >= 0; at--) {
    const step = steps[at]?.[index];
    path[at] = step?.candidate.hertz ?? 0;
    index = step?.back ?? 0;
  }
  return path;
}

function costOf(from: Candidate, to: Candidate): number {
  if (from.hertz > 0 && to.hertz > 0) return LEAP * Math.abs(Math.log2(from.hertz / to.hertz));
  return from.hertz === to.hertz ? 0 : CHANGE;
}

function refined(score: Float64Array, best: number): number {
  const [before, here, after] = [score[best - 1] ?? 0, score[best] ?? 0, score[best + 1] ?? 0];
  const bend = before - 2 * here + after;
  return best + (bend < 0 && best + 1 < score.length ? (0.5 * (before - after)) / bend : 0);
}

const OCTAVE_JUMP = 0.4;

export interface PitchAgreement {
  /** Of the logarithms, where both have a pitch. */
  readonly correlation: number;
  /** Without frames in which the estimator took one of the two an octave off, and how many these are. */
  readonly withoutJumps: number;
  readonly jumps: number;
  /** The share of frames in which both or neither are voiced. */
  readonly voicing: number;
  /** Logarithms where both have a pitch: for a correlation over many recordings. */
  readonly points: readonly (readonly [number, number])[];
}

export function comparePitch(a: Float64Array, b: Float64Array): PitchAgreement {
  const both: [number, number][] = [];
  let agreeing = 0;
  a.forEach((left, i) => {
    const right = b[i] ?? 0;
    if (left > 0 === right > 0) agreeing++;
    if (left > 0 && right > 0) both.push([Math.log2(left), Math.log2(right)]);
  });
  const near = both.filter(([left, right]) => Math.abs(left - right) < OCTAVE_JUMP);
  return {
    correlation: correlation(both),
    withoutJumps: correlation(near),
    jumps: 1 - near.length / Math.max(1, both.length),
    voicing: agreeing / Math.max(1, a.length),
    points: both,
  };
}

export function correlation(points: readonly (readonly [number, number])[]): number {
  const mean = (side: 0 | 1) => points.reduce((sum, point) => sum + point[side], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  let [xy, xx, yy] = [0, 0, 0];
  for (const [left, right] of points) {
    xy += (left - x) * (right - y);
    xx += (left - x) ** 2;
    yy += (right - y) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}
