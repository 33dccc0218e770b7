import { fftOf, RATE } from "./stft.ts";

const STEP = RATE / 100;
const FRAME = 1200;
const SHORTEST = RATE / 500;
const LONGEST = RATE / 60;
const SIZE = 2048;
const LEAST_ENERGY = FRAME * 1e-5;
/** How alike two periods must be to be called voice; and how much of the best a shorter period must have. */
const CLEAR = 0.6;
const NEARLY = 0.93;

/** The pitch each 10 ms by normalised autocorrelation, in Hz; 0 where there is none that is clear. */
export function pitchOf(samples: Float32Array): Float64Array {
  const frames = Math.max(0, Math.floor((samples.length - 1) / STEP));
  const fft = fftOf(SIZE);
  const re = new Float64Array(SIZE);
  const im = new Float64Array(SIZE);
  const wave = new Float64Array(FRAME + LONGEST);
  const score = new Float64Array(LONGEST);
  return Float64Array.from({ length: frames }, (_, index) => {
    const start = index * STEP - FRAME / 2;
    let energy = 0;
    for (let i = 0; i < wave.length; i++) {
      wave[i] = samples[start + i] ?? 0;
      if (i < FRAME) energy += (wave[i] ?? 0) ** 2;
    }
    if (energy < LEAST_ENERGY) return 0;
    correlate(wave, re, im, fft);
    let other = energy;
    for (let lag = 0; lag < LONGEST; lag++) {
      score[lag] = (re[lag] ?? 0) / SIZE / Math.sqrt(energy * other + 1e-12);
      other += (wave[FRAME + lag] ?? 0) ** 2 - (wave[lag] ?? 0) ** 2;
    }
    const best = bestPeriod(score);
    return (score[best] ?? 0) > CLEAR ? RATE / refined(score, best) : 0;
  });
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

/** The shortest period that is nearly as good as the best is the voice's; its multiples are as good by nature. */
function bestPeriod(score: Float64Array): number {
  let best = SHORTEST;
  for (let lag = SHORTEST; lag < LONGEST; lag++) if ((score[lag] ?? 0) > (score[best] ?? 0)) best = lag;
  for (let lag = SHORTEST + 1; lag < best; lag++) {
    const here = score[lag] ?? 0;
    const peak = here >= (score[lag - 1] ?? 0) && here >= (score[lag + 1] ?? 0);
    if (peak && here > NEARLY * (score[best] ?? 0)) return lag;
  }
  return best;
}

function refined(score: Float64Array, best: number): number {
  const [before, here, after] = [score[best - 1] ?? 0, score[best] ?? 0, score[best + 1] ?? 0];
  const bend = before - 2 * here + after;
  return best + (bend < 0 && best + 1 < score.length ? (0.5 * (before - after)) / bend : 0);
}

const OCTAVE_JUMP = 0.4;

export interface PitchLikeness {
  /** Of the logarithms, where both have a pitch. */
  readonly correlation: number;
  /** Without frames in which the estimator took one of the two an octave off, and how many these are. */
  readonly withoutJumps: number;
  readonly jumps: number;
  /** The share of frames in which both or neither are voiced. */
  readonly voicing: number;
}

export function comparePitch(a: Float64Array, b: Float64Array): PitchLikeness {
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
  };
}

function correlation(points: readonly (readonly [number, number])[]): number {
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
