import { createFft } from "../../audio/fft.ts";
import type { Region } from "../../recognition/speech-regions.ts";
import { ANALYSIS_RATE } from "./extract-speech.ts";

const SIZE = 512;
const HOP = SIZE / 4;
const BINS = SIZE / 2 + 1;
/** Below this there is rumble, but no voice. */
const LOWEST_HZ = 70;
/** More than the mean is subtracted, since noise varies; some of it always stays, to avoid artefacts. */
const OVER_SUBTRACTION = 1.5;
const MIN_GAIN = 10 ** (-14 / 20);
/** With fewer frames of silence, the noise cannot be measured. */
const MIN_NOISE_FRAMES = 12;

/**
 * Removes steady noise and rumble from a recording by spectral subtraction: the noise is measured between the regions of
 * speech. A recording without pauses only loses its rumble.
 */
export function reduceNoise(samples: Float32Array, regions: readonly Region[]): Float32Array {
  const window = Float64Array.from({ length: SIZE }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / SIZE));
  const fft = createFft(SIZE);
  const frames = Math.max(1, Math.ceil((samples.length - SIZE) / HOP) + 1);
  const transform = (frame: number): { re: Float64Array; im: Float64Array } => {
    const re = Float64Array.from({ length: SIZE }, (_, i) => (samples[frame * HOP + i] ?? 0) * (window[i] ?? 0));
    const im = new Float64Array(SIZE);
    fft(re, im);
    return { re, im };
  };
  const noise = noiseOf(frames, transform, (frame) => isQuiet(frame, regions));
  const lowest = Math.ceil((LOWEST_HZ * SIZE) / ANALYSIS_RATE);
  const result = new Float32Array(frames * HOP + SIZE);
  for (let frame = 0; frame < frames; frame++) {
    const { re, im } = transform(frame);
    for (let bin = 0; bin < BINS; bin++) {
      const power = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
      const clean = 1 - (OVER_SUBTRACTION * (noise[bin] ?? 0)) / Math.max(power, 1e-12);
      const gain = bin < lowest ? 0 : Math.max(MIN_GAIN, Math.sqrt(Math.max(0, clean)));
      for (const at of bin === 0 || bin === SIZE / 2 ? [bin] : [bin, SIZE - bin]) {
        re[at] = (re[at] ?? 0) * gain;
        im[at] = (im[at] ?? 0) * gain;
      }
    }
    // With swapped arguments this is the inverse transform.
    fft(im, re);
    for (let i = 0; i < SIZE; i++) {
      // Four windows overlap at each sample; their squares add up to two.
      const at = frame * HOP + i;
      result[at] = (result[at] ?? 0) + ((re[i] ?? 0) * (window[i] ?? 0)) / SIZE / 2;
    }
  }
  return result.subarray(0, samples.length);
}

/** The mean power of each bin in the frames without speech. */
function noiseOf(
  frames: number,
  transform: (frame: number) => { readonly re: Float64Array; readonly im: Float64Array },
  isNoise: (frame: number) => boolean,
): Float64Array {
  const noise = new Float64Array(BINS);
  let count = 0;
  for (let frame = 0; frame < frames; frame++) {
    if (!isNoise(frame)) continue;
    const { re, im } = transform(frame);
    for (let bin = 0; bin < BINS; bin++) noise[bin] = (noise[bin] ?? 0) + (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    count++;
  }
  return count < MIN_NOISE_FRAMES ? new Float64Array(BINS) : noise.map((sum) => sum / count);
}

/** Echo and breath around words are not noise. */
const MARGIN_SECONDS = 0.15;

function isQuiet(frame: number, regions: readonly Region[]): boolean {
  const from = (frame * HOP) / ANALYSIS_RATE - MARGIN_SECONDS;
  const to = (frame * HOP + SIZE) / ANALYSIS_RATE + MARGIN_SECONDS;
  return regions.every((region) => to < region.from || from > region.to);
}
