import { createFft } from "../../audio/fft.ts";
import { addToPowers, type Band, bandOf, powerIn } from "./xvector/band.ts";
import { gradientByFrame, powersOf } from "./xvector/powers.ts";

/** The sample rate of the speech. */
export const MEL_BANDS_RATE = 8000;
export const MEL_BANDS = 40;
const WINDOW = 200;
const HOP = 80;
const TRANSFORM = 256;
const BINS = TRANSFORM / 2 + 1;
const LOWEST_HERTZ = 60;
const HIGHEST_HERTZ = 3900;
/** Keeps the logarithm of silence finite. */
const LEAST_POWER = 1e-6;

const fft = createFft(TRANSFORM);
const HANN = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW));
const BANK: readonly Band[] = bankOf();

/** Log-mel bands of speech without their means, 100 frames a second, band by band. */
export function melBands(samples: Float32Array): Float32Array {
  const frames = framesOf(samples);
  const bands = new Float32Array(MEL_BANDS * frames);
  const re = new Float64Array(TRANSFORM);
  const im = new Float64Array(TRANSFORM);
  const powers = new Float64Array(BINS);
  for (let frame = 0; frame < frames; frame++) {
    loadSpectrum(samples, frame, re, im);
    powersOf(re, im, powers);
    BANK.forEach((band, row) => {
      bands[row * frames + frame] = Math.log(powerIn(band, powers) + LEAST_POWER);
    });
  }
  subtractMeans(bands, frames);
  return bands;
}

/** The gradient by the samples of a sum whose gradient by their bands is given. */
export function melBandsGradient(samples: Float32Array, byBands: Float32Array): Float32Array {
  const frames = framesOf(samples);
  const gradient = byBands.slice();
  subtractMeans(gradient, frames);
  const bySamples = new Float32Array(samples.length);
  const re = new Float64Array(TRANSFORM);
  const im = new Float64Array(TRANSFORM);
  const powers = new Float64Array(BINS);
  const byPowers = new Float64Array(BINS);
  for (let frame = 0; frame < frames; frame++) {
    loadSpectrum(samples, frame, re, im);
    powersOf(re, im, powers);
    byPowers.fill(0);
    BANK.forEach((band, row) => {
      addToPowers(band, (gradient[row * frames + frame] ?? 0) / (powerIn(band, powers) + LEAST_POWER), byPowers);
    });
    gradientByFrame(fft, re, im, byPowers);
    const start = frame * HOP;
    for (let i = 0; i < WINDOW; i++) {
      bySamples[start + i] = (bySamples[start + i] ?? 0) + (HANN[i] ?? 0) * (re[i] ?? 0);
    }
  }
  return bySamples;
}

const framesOf = (samples: Float32Array): number => Math.max(0, Math.floor((samples.length - WINDOW) / HOP) + 1);

function loadSpectrum(samples: Float32Array, frame: number, re: Float64Array, im: Float64Array): void {
  re.fill(0);
  im.fill(0);
  for (let i = 0; i < WINDOW; i++) re[i] = (samples[frame * HOP + i] ?? 0) * (HANN[i] ?? 0);
  fft(re, im);
}

/** Subtracts the mean of each row. The gradient of that is the same again. */
function subtractMeans(rows: Float32Array, frames: number): void {
  for (let band = 0; band < MEL_BANDS; band++) {
    const row = rows.subarray(band * frames, (band + 1) * frames);
    const mean = row.reduce((sum, value) => sum + value, 0) / frames;
    row.forEach((value, i) => {
      row[i] = value - mean;
    });
  }
}

function bankOf(): Band[] {
  const mel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
  const [low, high] = [mel(LOWEST_HERTZ), mel(HIGHEST_HERTZ)];
  const points = Array.from(
    { length: MEL_BANDS + 2 },
    (_, i) => 700 * (10 ** ((low + ((high - low) * i) / (MEL_BANDS + 1)) / 2595) - 1),
  );
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const [from = 0, top = 0, to = 0] = points.slice(band, band + 3);
    const weights = Float64Array.from({ length: BINS }, (_, bin) => {
      const hertz = (bin * MEL_BANDS_RATE) / TRANSFORM;
      return Math.max(0, Math.min((hertz - from) / (top - from), (to - hertz) / (to - top)));
    });
    return bandOf(weights);
  });
}
