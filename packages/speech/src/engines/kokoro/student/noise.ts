import type { Fft } from "../../../audio/fft.ts";
import { BINS, FFT_SIZE, HOP, hann, WINDOW_START } from "./shape.ts";

/** The period of the noise in frames, 6.4 s, so that its spectra are computed once. A power of two. */
export const NOISE_FRAMES = 512;

/** The spectra of the noise, the other raw signal that the network filters, for all texts. */
export interface NoiseSpectra {
  readonly re: Float32Array;
  readonly im: Float32Array;
  /** The index of a frame's first bin in the arrays. */
  at(frame: number): number;
}

export function createNoiseSpectra(fft: Fft): NoiseSpectra {
  const re = new Float32Array(NOISE_FRAMES * BINS);
  const im = new Float32Array(NOISE_FRAMES * BINS);
  const first = new Float64Array(FFT_SIZE);
  const second = new Float64Array(FFT_SIZE);
  const at = (frame: number) => (frame & (NOISE_FRAMES - 1)) * BINS;
  const load = (frame: number, into: Float64Array) => {
    const start = frame * HOP + WINDOW_START;
    for (let i = 0; i < FFT_SIZE; i++) into[i] = noiseAt(start + i) * (hann[i] ?? 0);
  };
  for (let frame = 0; frame < NOISE_FRAMES; frame += 2) {
    load(frame, first);
    load(frame + 1, second);
    fft(first, second);
    separate(first, second, { re, im }, at(frame), at(frame + 1));
  }
  return { re, im, at };
}

/** The spectra of two real signals of which one was the real part of a transform and the other the imaginary part. */
export function separate(
  re: Float64Array,
  im: Float64Array,
  into: { readonly re: Float32Array; readonly im: Float32Array },
  first: number,
  second: number,
): void {
  const { re: toRe, im: toIm } = into;
  for (let k = 0; k < BINS; k++) {
    const mirrored = (FFT_SIZE - k) & (FFT_SIZE - 1);
    const a = re[k] ?? 0;
    const b = im[k] ?? 0;
    const c = re[mirrored] ?? 0;
    const d = im[mirrored] ?? 0;
    toRe[first + k] = (a + c) / 2;
    toIm[first + k] = (b - d) / 2;
    toRe[second + k] = (b + d) / 2;
    toIm[second + k] = (c - a) / 2;
  }
}

const LOUDNESS = Math.sqrt(3);

/** Sample n of the noise: a hash of its place in the period, so that windows are independent. Uniform, variance 1. */
export function noiseAt(n: number): number {
  const period = NOISE_FRAMES * HOP;
  let x = ((n % period) + period) % period;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  x = (x ^ (x >>> 16)) >>> 0;
  return (x / 2 ** 31 - 1) * LOUDNESS;
}
