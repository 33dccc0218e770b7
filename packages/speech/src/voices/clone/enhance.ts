import { createFft } from "../../audio/fft.ts";
import type { Region } from "../../recognition/speech-regions.ts";
import { HEARING_RATE } from "./speech-only.ts";

const SIZE = 512;
const HOP = SIZE / 4;
const BINS = SIZE / 2 + 1;
/** Nothing of a voice is below that; the rumble of traffic and tables is. */
const LOWEST_HZ = 70;
/** More than is measured is taken away, since noise varies; never all, which would sound hollow. */
const OVER_SUBTRACTION = 1.5;
const LEAST_GAIN = 10 ** (-14 / 20);
/** With less silence than that, nobody knows what the noise is. */
const LEAST_NOISE_FRAMES = 12;

/**
 * Takes steady noise and rumble out of a recording: what sounds while nobody speaks is measured, and taken away from all of
 * it. A recording without pauses only loses its rumble.
 */
export function enhance(samples: Float32Array, regions: readonly Region[]): Float32Array {
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
  const lowest = Math.ceil((LOWEST_HZ * SIZE) / HEARING_RATE);
  const result = new Float32Array(frames * HOP + SIZE);
  for (let frame = 0; frame < frames; frame++) {
    const { re, im } = transform(frame);
    for (let bin = 0; bin < BINS; bin++) {
      const power = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
      const clean = 1 - (OVER_SUBTRACTION * (noise[bin] ?? 0)) / Math.max(power, 1e-12);
      const gain = bin < lowest ? 0 : Math.max(LEAST_GAIN, Math.sqrt(Math.max(0, clean)));
      for (const at of bin === 0 || bin === SIZE / 2 ? [bin] : [bin, SIZE - bin]) {
        re[at] = (re[at] ?? 0) * gain;
        im[at] = (im[at] ?? 0) * gain;
      }
    }
    // Swapped, the transform goes back.
    fft(im, re);
    for (let i = 0; i < SIZE; i++) {
      // Four windows lie over each sample; their squares add up to two.
      const at = frame * HOP + i;
      result[at] = (result[at] ?? 0) + ((re[i] ?? 0) * (window[i] ?? 0)) / SIZE / 2;
    }
  }
  return result.subarray(0, samples.length);
}

/** The mean power of each bin while nobody speaks. */
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
  return count < LEAST_NOISE_FRAMES ? new Float64Array(BINS) : noise.map((sum) => sum / count);
}

/** Echo and breath around words are no noise. */
const MARGIN_SECONDS = 0.15;

function isQuiet(frame: number, regions: readonly Region[]): boolean {
  const from = (frame * HOP) / HEARING_RATE - MARGIN_SECONDS;
  const to = (frame * HOP + SIZE) / HEARING_RATE + MARGIN_SECONDS;
  return regions.every((region) => to < region.from || from > region.to);
}
