import type { Fft } from "../../../audio/fft.ts";

/** The powers of the frequencies of a spectrum, up to half the sample rate. */
export function powersOf(re: Float64Array, im: Float64Array, into: Float64Array): void {
  for (let bin = 0; bin < into.length; bin++) into[bin] = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
}

/**
 * From the gradient by the powers of a spectrum to that by the samples of its frame, which takes the place of `re`. It is
 * the real part of an inverse transform, and so of the transform of the conjugate numbers.
 */
export function gradientByFrame(fft: Fft, re: Float64Array, im: Float64Array, byPowers: Float64Array): void {
  for (let bin = 0; bin < re.length; bin++) {
    const factor = 2 * (byPowers[bin] ?? 0);
    re[bin] = factor * (re[bin] ?? 0);
    im[bin] = -factor * (im[bin] ?? 0);
  }
  fft(re, im);
}
