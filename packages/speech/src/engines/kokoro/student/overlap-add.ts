import type { Fft } from "../../../audio/fft.ts";
import type { Shaping } from "./network.ts";
import { BINS, FFT_SIZE, HOP, hann, OVERLAP, WINDOW_START } from "./shape.ts";
import type { Spectra } from "./spectra.ts";

/** Builds speech from the filtered spectra of the frames. Frames are added in order, each once. */
export interface OverlapAdd {
  /** Adds `count` frames from `frame` on, with the network's output for them. */
  add(frame: number, count: number, shaping: Shaping): void;
  /** The samples of the next `count` frames, which are complete. */
  take(count: number): Float32Array;
}

/** The reciprocal of the sum of all windows over a sample, by its position in its frame. */
const inverseSum = Float64Array.from({ length: HOP }, (_, position) => {
  let sum = 0;
  for (let frame = -OVERLAP; frame <= OVERLAP; frame++) sum += (hann[position - frame * HOP - WINDOW_START] ?? 0) ** 2;
  return 1 / sum;
});

export interface OverlapAddOptions {
  /** The maximum number of frames that are taken at once. */
  readonly maxFrames: number;
  /** The first sample that is taken. */
  readonly start: number;
}

export function createOverlapAdd(spectra: Spectra, fft: Fft, { maxFrames, start }: OverlapAddOptions): OverlapAdd {
  const re = new Float64Array(FFT_SIZE);
  const im = new Float64Array(FFT_SIZE);
  /** Starts at the first sample that was not taken yet. */
  const mix = new Float64Array((maxFrames + 2 * OVERLAP) * HOP + FFT_SIZE);
  let taken = start;

  /**
   * The spectrum of one frame into re and im, times 1 or times j: so one inverse transform gives two frames, one in
   * its real part and the other in its imaginary part.
   */
  function shape(frame: number, row: number, shaping: Shaping, imaginary: boolean): void {
    const { gainRe, gainIm, noiseGain, freeRe, freeIm } = shaping;
    const { sourceRe, sourceIm, noiseRe, noiseIm } = spectra;
    const slot = spectra.at(frame);
    for (let k = 0; k < BINS; k++) {
      const at = row * BINS + k;
      const sr = sourceRe[slot + k] ?? 0;
      const si = sourceIm[slot + k] ?? 0;
      const gr = gainRe[at] ?? 0;
      const gi = gainIm[at] ?? 0;
      const gain = noiseGain[at] ?? 0;
      const x = gr * sr - gi * si + gain * (noiseRe[slot + k] ?? 0) + (freeRe[at] ?? 0);
      // The first and last bin of a real signal have no imaginary part.
      const real = k === 0 || k === BINS - 1;
      const y = real ? 0 : gr * si + gi * sr + gain * (noiseIm[slot + k] ?? 0) + (freeIm[at] ?? 0);
      const mirrored = (FFT_SIZE - k) & (FFT_SIZE - 1);
      if (!imaginary) {
        re[k] = x;
        im[k] = y;
        re[mirrored] = x;
        im[mirrored] = -y;
      } else {
        re[k] = (re[k] ?? 0) - y;
        im[k] = (im[k] ?? 0) + x;
        if (real) continue;
        re[mirrored] = (re[mirrored] ?? 0) + y;
        im[mirrored] = (im[mirrored] ?? 0) + x;
      }
    }
  }

  function overlap(frame: number, values: Float64Array): void {
    const offset = frame * HOP + WINDOW_START - taken;
    for (let i = Math.max(0, -offset); i < FFT_SIZE; i++) {
      mix[offset + i] = (mix[offset + i] ?? 0) + ((values[i] ?? 0) / FFT_SIZE) * (hann[i] ?? 0);
    }
  }

  return {
    add(frame, count, shaping) {
      for (let row = 0; row < count; row += 2) {
        shape(frame + row, row, shaping, false);
        if (row + 1 < count) shape(frame + row + 1, row + 1, shaping, true);
        fft(im, re);
        overlap(frame + row, re);
        if (row + 1 < count) overlap(frame + row + 1, im);
      }
    },
    take(count) {
      const samples = new Float32Array(count * HOP);
      for (let i = 0; i < samples.length; i++) samples[i] = (mix[i] ?? 0) * (inverseSum[i % HOP] ?? 0);
      mix.copyWithin(0, samples.length);
      mix.fill(0, mix.length - samples.length);
      taken += samples.length;
      return samples;
    },
  };
}
