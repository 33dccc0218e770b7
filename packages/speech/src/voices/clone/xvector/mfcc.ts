import { createFft } from "../../../audio/fft.ts";
import { addToPowers, bandOf, powerIn } from "./band.ts";
import { gradientByFrame, powersOf } from "./powers.ts";

/** Numbers per frame: the log energy, then 22 cepstral coefficients. */
export const MFCC_SIZE = 23;
const BANDS = 23;
const RATE = 8000;
const FRAME = 200;
const STEP = 80;
const SIZE = 256;
const BINS = SIZE / 2 + 1;
const LOWEST_HERTZ = 20;
const HIGHEST_HERTZ = 3700;
const MIN_ENERGY = 1.2e-7;
const SCALE = 32_768;
const PRE_EMPHASIS = 0.97;

const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700);
const window = Float64Array.from(
  { length: FRAME },
  (_, n) => (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (FRAME - 1))) ** 0.85,
);
const bank = Array.from({ length: BANDS }, (_, band) => {
  const step = (mel(HIGHEST_HERTZ) - mel(LOWEST_HERTZ)) / (BANDS + 1);
  const centre = mel(LOWEST_HERTZ) + (band + 1) * step;
  return bandOf(
    Float64Array.from({ length: BINS }, (_, bin) =>
      Math.max(0, 1 - Math.abs(mel((bin * RATE) / SIZE) - centre) / step),
    ),
  );
});
const cosines = Array.from({ length: MFCC_SIZE }, (_, n) => {
  const lifter = 1 + 11 * Math.sin((Math.PI * n) / 22);
  return Float64Array.from(
    { length: BANDS },
    (_, band) => lifter * Math.sqrt(2 / BANDS) * Math.cos((Math.PI / BANDS) * n * (band + 0.5)),
  );
});
const fft = createFft(SIZE);

/** Cepstral features of speech at 8 kHz as Kaldi computes them, 100 frames a second, row by row. */
export function mfcc(samples: Float32Array): Float32Array {
  const frames = framesOf(samples);
  const result = new Float32Array(frames * MFCC_SIZE);
  const re = new Float64Array(SIZE);
  const im = new Float64Array(SIZE);
  const powers = new Float64Array(BINS);
  const bands = new Float64Array(BANDS);
  for (let frame = 0; frame < frames; frame++) {
    const energy = loadFrame(samples, frame * STEP, re);
    im.fill(0);
    fft(re, im);
    powersOf(re, im, powers);
    bank.forEach((band, index) => {
      bands[index] = Math.log(Math.max(powerIn(band, powers), MIN_ENERGY));
    });
    const row = frame * MFCC_SIZE;
    cosines.forEach((weights, n) => {
      let sum = 0;
      for (let band = 0; band < BANDS; band++) sum += (weights[band] ?? 0) * (bands[band] ?? 0);
      result[row + n] = sum;
    });
    result[row] = Math.log(Math.max(energy, MIN_ENERGY));
  }
  return result;
}

/** The gradient by the samples of a sum whose gradient by their features is given. */
export function mfccGradient(samples: Float32Array, byFeatures: Float32Array): Float32Array {
  const frames = framesOf(samples);
  const bySamples = new Float32Array(samples.length);
  const re = new Float64Array(SIZE);
  const im = new Float64Array(SIZE);
  const powers = new Float64Array(BINS);
  const byPowers = new Float64Array(BINS);
  const bySample = new Float64Array(FRAME);
  for (let frame = 0; frame < frames; frame++) {
    const energy = loadFrame(samples, frame * STEP, re);
    im.fill(0);
    fft(re, im);
    powersOf(re, im, powers);
    const row = byFeatures.subarray(frame * MFCC_SIZE, (frame + 1) * MFCC_SIZE);
    byPowers.fill(0);
    bank.forEach((band, index) => {
      const power = powerIn(band, powers);
      if (power <= MIN_ENERGY) return;
      let sum = 0;
      // The energy is in the place of the first coefficient.
      for (let n = 1; n < MFCC_SIZE; n++) sum += (row[n] ?? 0) * (cosines[n]?.[index] ?? 0);
      addToPowers(band, sum / power, byPowers);
    });
    gradientByFrame(fft, re, im, byPowers);
    loadGradient(re, bySample);
    const byEnergy = energy > MIN_ENERGY ? (2 * (row[0] ?? 0)) / energy : 0;
    addFrame(samples, frame * STEP, { bySample, byEnergy }, bySamples);
  }
  return bySamples;
}

const framesOf = (samples: Float32Array): number => Math.max(0, Math.floor((samples.length - FRAME) / STEP) + 1);

/** From the gradient by a windowed and pre-emphasized frame to that by its samples in 16-bit scale. */
function loadGradient(byFrame: Float64Array, into: Float64Array): void {
  let after = 0;
  for (let n = FRAME - 1; n >= 0; n--) {
    const weighted = (byFrame[n] ?? 0) * (window[n] ?? 0);
    // What the first sample is compared with does not count: the window is zero there.
    into[n] = weighted - PRE_EMPHASIS * after;
    after = weighted;
  }
}

/** Adds the gradient by one frame to that by all samples. `byEnergy`: by half of the energy. */
function addFrame(
  samples: Float32Array,
  start: number,
  { bySample, byEnergy }: { bySample: Float64Array; byEnergy: number },
  into: Float32Array,
): void {
  let offset = 0;
  for (let n = 0; n < FRAME; n++) {
    bySample[n] = (bySample[n] ?? 0) + byEnergy * (samples[start + n] ?? 0) * SCALE;
    offset += (bySample[n] ?? 0) / FRAME;
  }
  // The mean of the frame is subtracted from it, so the gradient has none either.
  for (let n = 0; n < FRAME; n++) into[start + n] = (into[start + n] ?? 0) + SCALE * ((bySample[n] ?? 0) - offset);
}

/** Loads one frame: 16-bit scale, mean removed, pre-emphasized and windowed. Returns its energy. */
function loadFrame(samples: Float32Array, start: number, into: Float64Array): number {
  let mean = 0;
  for (let n = 0; n < FRAME; n++) mean += (samples[start + n] ?? 0) / FRAME;
  let energy = 0;
  let before = 0;
  into.fill(0);
  for (let n = 0; n < FRAME; n++) {
    const sample = ((samples[start + n] ?? 0) - mean) * SCALE;
    energy += sample * sample;
    into[n] = (sample - PRE_EMPHASIS * (n === 0 ? sample : before)) * (window[n] ?? 0);
    before = sample;
  }
  return energy;
}

/** Subtracts the mean of the 300 frames around each frame: the influence of microphone and room is constant. */
export function withoutSlidingMean(features: Float32Array, span = 300): Float32Array {
  const frames = features.length / MFCC_SIZE;
  const result = new Float32Array(features.length);
  for (let n = 0; n < MFCC_SIZE; n++) {
    const sums = new Float64Array(frames + 1);
    for (let t = 0; t < frames; t++) sums[t + 1] = (sums[t] ?? 0) + (features[t * MFCC_SIZE + n] ?? 0);
    for (let t = 0; t < frames; t++) {
      const from = firstAround(t, frames, span);
      const to = Math.min(frames, from + span);
      const mean = ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
      result[t * MFCC_SIZE + n] = (features[t * MFCC_SIZE + n] ?? 0) - mean;
    }
  }
  return result;
}

/** From the gradient by features without a sliding mean to that by the features. */
export function slidingMeanGradient(byCentred: Float32Array, span = 300): Float32Array {
  const frames = byCentred.length / MFCC_SIZE;
  const result = new Float32Array(byCentred.length);
  for (let n = 0; n < MFCC_SIZE; n++) {
    // How much the gradient by the means of each frame changes from one frame to the next.
    const changes = new Float64Array(frames + 1);
    for (let t = 0; t < frames; t++) {
      const from = firstAround(t, frames, span);
      const to = Math.min(frames, from + span);
      const share = (byCentred[t * MFCC_SIZE + n] ?? 0) / (to - from);
      changes[from] = (changes[from] ?? 0) + share;
      changes[to] = (changes[to] ?? 0) - share;
    }
    let byMeans = 0;
    for (let t = 0; t < frames; t++) {
      byMeans += changes[t] ?? 0;
      result[t * MFCC_SIZE + n] = (byCentred[t * MFCC_SIZE + n] ?? 0) - byMeans;
    }
  }
  return result;
}

/** The first of the frames around a frame. */
const firstAround = (t: number, frames: number, span: number): number =>
  Math.max(0, Math.min(t - span / 2, frames - span));
