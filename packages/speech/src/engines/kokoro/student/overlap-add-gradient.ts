import type { Fft } from "../../../audio/fft.ts";
import type { Shaping } from "./network.ts";
import { separate } from "./noise.ts";
import { type Filtered, weights } from "./overlap-add.ts";
import { BINS, FFT_SIZE, HOP, OVERLAP, WINDOW_START } from "./shape.ts";

/**
 * The gradient by the filters of all frames, from one by the samples of a whole text. The samples are a linear function of the
 * filters (`createOverlapAdd`), so this is its transpose: the spectra of the weighted gradient, times the conjugated spectra of
 * what was filtered.
 */
export function shapingGradient(
  gradient: Float32Array,
  { source, noise }: Filtered,
  fft: Fft,
  noiseFrame: number,
): Shaping {
  const frames = gradient.length / HOP + 2 * OVERLAP;
  const create = () => new Float32Array(frames * BINS);
  const shaping = { gainRe: create(), gainIm: create(), noiseGain: create(), freeRe: create(), freeIm: create() };
  const { gainRe, gainIm, noiseGain, freeRe, freeIm } = shaping;
  const first = new Float64Array(FFT_SIZE);
  const second = new Float64Array(FFT_SIZE);
  const pair = { re: new Float32Array(2 * BINS), im: new Float32Array(2 * BINS) };

  /** The part of the gradient in a frame's window. There is none outside the text. */
  function load(frame: number, into: Float64Array): void {
    const start = frame * HOP + WINDOW_START;
    for (let i = 0; i < FFT_SIZE; i++) into[i] = (gradient[start + i] ?? 0) * (weights[i] ?? 0);
  }

  function fill(row: number, spectrum: number): void {
    const frame = row - OVERLAP;
    const slot = source.at(frame);
    const noiseSlot = noise.at(frame + noiseFrame);
    for (let k = 0; k < BINS; k++) {
      // The inverse transform uses each bin twice, the second time mirrored, but the first and the last once. The imaginary
      // part of those two is ignored, and is zero here: the spectrum is that of a real signal.
      const uses = k === 0 || k === BINS - 1 ? 1 : 2;
      const re = uses * (pair.re[spectrum + k] ?? 0);
      const im = uses * (pair.im[spectrum + k] ?? 0);
      const sourceRe = source.re[slot + k] ?? 0;
      const sourceIm = source.im[slot + k] ?? 0;
      const at = row * BINS + k;
      gainRe[at] = re * sourceRe + im * sourceIm;
      gainIm[at] = im * sourceRe - re * sourceIm;
      noiseGain[at] = re * (noise.re[noiseSlot + k] ?? 0) + im * (noise.im[noiseSlot + k] ?? 0);
      freeRe[at] = re;
      freeIm[at] = im;
    }
  }

  for (let row = 0; row < frames; row += 2) {
    load(row - OVERLAP, first);
    load(row + 1 - OVERLAP, second);
    fft(first, second);
    separate(first, second, pair, 0, BINS);
    fill(row, 0);
    if (row + 1 < frames) fill(row + 1, BINS);
  }
  return shaping;
}
