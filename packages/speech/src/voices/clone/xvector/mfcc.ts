import { createFft } from "../../../audio/fft.ts";
import { bandOf, powerIn } from "./band.ts";

/** Numbers per frame: the log energy, then 22 cepstral coefficients. */
export const MFCC_SIZE = 23;
const BANDS = 23;
const RATE = 8000;
const FRAME = 200;
const STEP = 80;
const SIZE = 256;
const LOWEST_HERTZ = 20;
const HIGHEST_HERTZ = 3700;
const MIN_ENERGY = 1.2e-7;

const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700);
const window = Float64Array.from(
  { length: FRAME },
  (_, n) => (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (FRAME - 1))) ** 0.85,
);
const bank = Array.from({ length: BANDS }, (_, band) => {
  const step = (mel(HIGHEST_HERTZ) - mel(LOWEST_HERTZ)) / (BANDS + 1);
  const centre = mel(LOWEST_HERTZ) + (band + 1) * step;
  return bandOf(
    Float64Array.from({ length: SIZE / 2 + 1 }, (_, bin) =>
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
  const frames = Math.max(0, Math.floor((samples.length - FRAME) / STEP) + 1);
  const result = new Float32Array(frames * MFCC_SIZE);
  const re = new Float64Array(SIZE);
  const im = new Float64Array(SIZE);
  const bands = new Float64Array(BANDS);
  for (let frame = 0; frame < frames; frame++) {
    const energy = loadFrame(samples, frame * STEP, re);
    im.fill(0);
    fft(re, im);
    for (let bin = 0; bin <= SIZE / 2; bin++) re[bin] = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    bank.forEach((band, index) => {
      bands[index] = Math.log(Math.max(powerIn(band, re), MIN_ENERGY));
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

/** Loads one frame: 16-bit scale, mean removed, pre-emphasized and windowed. Returns its energy. */
function loadFrame(samples: Float32Array, start: number, into: Float64Array): number {
  let mean = 0;
  for (let n = 0; n < FRAME; n++) mean += (samples[start + n] ?? 0) / FRAME;
  let energy = 0;
  let before = 0;
  into.fill(0);
  for (let n = 0; n < FRAME; n++) {
    const sample = ((samples[start + n] ?? 0) - mean) * 32_768;
    energy += sample * sample;
    into[n] = (sample - 0.97 * (n === 0 ? sample : before)) * (window[n] ?? 0);
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
      const from = Math.max(0, Math.min(t - span / 2, frames - span));
      const to = Math.min(frames, from + span);
      const mean = ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
      result[t * MFCC_SIZE + n] = (features[t * MFCC_SIZE + n] ?? 0) - mean;
    }
  }
  return result;
}
