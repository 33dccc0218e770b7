import type { Fft } from "../../../audio/fft.ts";
import type { Shaping } from "./network.ts";
import type { NoiseSpectra } from "./noise.ts";
import { BINS, FFT_SIZE, HOP, hann, OVERLAP, WINDOW_START } from "./shape.ts";
import type { Spectra } from "./spectra.ts";

/** Builds speech from the filtered spectra of the frames. Frames are added in order, each once. */
export interface OverlapAdd {
  /** Adds `count` frames from `frame` on, with the network's output for them. */
  add(frame: number, count: number, shaping: Shaping): void;
  /** The samples of the next `count` frames, which are complete. */
  take(count: number): Float32Array;
}

export interface OverlapAddOptions {
  /** The maximum number of frames that are taken at once. */
  readonly maxFrames: number;
  /** The first sample that is taken. */
  readonly start: number;
  /** The frame of the noise that the text starts with. */
  readonly noiseFrame: number;
}

/** What is filtered: the spectra of both signals. */
export interface Filtered {
  readonly source: Spectra;
  readonly noise: NoiseSpectra;
}

/** The window of synthesis, divided by the sum of all windows over a sample and by the length of the transform. */
export const weights = Float64Array.from(
  hann,
  (window, i) => window / windowSum((i - FFT_SIZE / 2 + HOP / 2) % HOP) / FFT_SIZE,
);

/** The sum of the squared windows over a sample, by its position in its frame. */
function windowSum(position: number): number {
  let sum = 0;
  for (let frame = -OVERLAP - 1; frame <= OVERLAP; frame++)
    sum += (hann[position - frame * HOP - WINDOW_START] ?? 0) ** 2;
  return sum;
}

export function createOverlapAdd(
  { source, noise }: Filtered,
  fft: Fft,
  { maxFrames, start, noiseFrame }: OverlapAddOptions,
): OverlapAdd {
  const re = new Float64Array(FFT_SIZE);
  const im = new Float64Array(FFT_SIZE);
  const first = { re: new Float64Array(BINS), im: new Float64Array(BINS) };
  const second = { re: new Float64Array(BINS), im: new Float64Array(BINS) };
  /** Starts at the first sample that was not taken yet. */
  const mix = new Float64Array((maxFrames + 2 * OVERLAP) * HOP + FFT_SIZE);
  let taken = start;

  /** The spectrum of a frame of speech. */
  function filter(frame: number, row: number, shaping: Shaping, into: typeof first): void {
    const { gainRe, gainIm, noiseGain, freeRe, freeIm } = shaping;
    const { re: sourceRe, im: sourceIm } = source;
    const { re: noiseRe, im: noiseIm } = noise;
    const { re: toRe, im: toIm } = into;
    const slot = source.at(frame);
    const noiseSlot = noise.at(frame + noiseFrame);
    for (let k = 0; k < BINS; k++) {
      const at = row * BINS + k;
      const sr = sourceRe[slot + k] ?? 0;
      const si = sourceIm[slot + k] ?? 0;
      const gr = gainRe[at] ?? 0;
      const gi = gainIm[at] ?? 0;
      const gain = noiseGain[at] ?? 0;
      toRe[k] = gr * sr - gi * si + gain * (noiseRe[noiseSlot + k] ?? 0) + (freeRe[at] ?? 0);
      toIm[k] = gr * si + gi * sr + gain * (noiseIm[noiseSlot + k] ?? 0) + (freeIm[at] ?? 0);
    }
    // The first and last bin of a real signal have no imaginary part.
    toIm[0] = 0;
    toIm[BINS - 1] = 0;
  }

  /** Two spectra as one, so that one inverse transform gives a frame in its real part and the next in its imaginary part. */
  function combine(): void {
    const { re: aRe, im: aIm } = first;
    const { re: bRe, im: bIm } = second;
    for (let k = 0; k < BINS; k++) {
      const mirrored = (FFT_SIZE - k) & (FFT_SIZE - 1);
      const ar = aRe[k] ?? 0;
      const ai = aIm[k] ?? 0;
      const br = bRe[k] ?? 0;
      const bi = bIm[k] ?? 0;
      re[k] = ar - bi;
      im[k] = ai + br;
      re[mirrored] = ar + bi;
      im[mirrored] = br - ai;
    }
  }

  function overlap(frame: number, values: Float64Array): void {
    const offset = frame * HOP + WINDOW_START - taken;
    for (let i = Math.max(0, -offset); i < FFT_SIZE; i++) {
      mix[offset + i] = (mix[offset + i] ?? 0) + (values[i] ?? 0) * (weights[i] ?? 0);
    }
  }

  return {
    add(frame, count, shaping) {
      for (let row = 0; row < count; row += 2) {
        const isPair = row + 1 < count;
        filter(frame + row, row, shaping, first);
        if (isPair) filter(frame + row + 1, row + 1, shaping, second);
        else {
          second.re.fill(0);
          second.im.fill(0);
        }
        combine();
        fft(im, re);
        overlap(frame + row, re);
        if (isPair) overlap(frame + row + 1, im);
      }
    },
    take(count) {
      const samples = Float32Array.from(mix.subarray(0, count * HOP));
      mix.copyWithin(0, samples.length);
      mix.fill(0, mix.length - samples.length);
      taken += samples.length;
      return samples;
    },
  };
}
