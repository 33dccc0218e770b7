import type { Fft } from "../../../audio/fft.ts";
import { BINS, FFT_SIZE, HOP, hann, WINDOW_START } from "./shape.ts";
import type { Signals } from "./signals.ts";

/** The spectra of source and noise of the latest frames. They are used twice: as features, and for the output. */
export interface Spectra {
  readonly sourceRe: Float32Array;
  readonly sourceIm: Float32Array;
  readonly noiseRe: Float32Array;
  readonly noiseIm: Float32Array;
  /** The index of a frame's first bin in the arrays. */
  at(frame: number): number;
  /** Computes the next frame. Frames are computed in order. */
  make(frame: number): void;
}

/** `kept` is the number of frames that stay available. */
export function createSpectra(signals: Signals, fft: Fft, kept: number): Spectra {
  const sourceRe = new Float32Array(kept * BINS);
  const sourceIm = new Float32Array(kept * BINS);
  const noiseRe = new Float32Array(kept * BINS);
  const noiseIm = new Float32Array(kept * BINS);
  const re = new Float64Array(FFT_SIZE);
  const im = new Float64Array(FFT_SIZE);
  const { source, noise, mask } = signals;
  const at = (frame: number) => ((frame + kept) % kept) * BINS;

  return {
    sourceRe,
    sourceIm,
    noiseRe,
    noiseIm,
    at,
    make(frame) {
      const start = frame * HOP + WINDOW_START;
      signals.advance(start + FFT_SIZE);
      for (let i = 0; i < FFT_SIZE; i++) {
        const window = hann[i] ?? 0;
        re[i] = (source[(start + i) & mask] ?? 0) * window;
        im[i] = (noise[(start + i) & mask] ?? 0) * window;
      }
      // One transform for both: the source is the real part, the noise the imaginary one.
      fft(re, im);
      const slot = at(frame);
      for (let k = 0; k < BINS; k++) {
        const mirrored = (FFT_SIZE - k) & (FFT_SIZE - 1);
        const a = re[k] ?? 0;
        const b = im[k] ?? 0;
        const c = re[mirrored] ?? 0;
        const d = im[mirrored] ?? 0;
        sourceRe[slot + k] = (a + c) / 2;
        sourceIm[slot + k] = (b - d) / 2;
        noiseRe[slot + k] = (b + d) / 2;
        noiseIm[slot + k] = (c - a) / 2;
      }
    },
  };
}
