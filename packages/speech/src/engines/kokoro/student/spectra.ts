import type { Fft } from "../../../audio/fft.ts";
import { separate } from "./noise.ts";
import { BINS, FFT_SIZE, HOP, hann, WINDOW_START } from "./shape.ts";
import type { Source } from "./signals.ts";

/** The spectra of the source of the latest frames. They are used twice: as features, and for the output. */
export interface Spectra {
  readonly re: Float32Array;
  readonly im: Float32Array;
  /** The index of a frame's first bin in the arrays. */
  at(frame: number): number;
  /** Computes the frames up to this one. */
  make(frame: number): void;
}

/** From frame `first` on; `kept` is the number of frames that stay available. */
export function createSpectra(source: Source, fft: Fft, first: number, kept: number): Spectra {
  // Frames are made in pairs, so one may be made early.
  const slots = kept + 1;
  const re = new Float32Array(slots * BINS);
  const im = new Float32Array(slots * BINS);
  const real = new Float64Array(FFT_SIZE);
  const imaginary = new Float64Array(FFT_SIZE);
  const { samples, mask } = source;
  const at = (frame: number) => ((frame + slots) % slots) * BINS;
  let made = first;

  /** Two frames with one transform: one is the real part, the other the imaginary one. */
  function makePair(): void {
    const start = made * HOP + WINDOW_START;
    source.advance(start + HOP + FFT_SIZE);
    const here = at(made);
    const next = at(made + 1);
    made += 2;
    if (source.voicedUntil <= start) {
      for (const slot of [here, next]) {
        re.fill(0, slot, slot + BINS);
        im.fill(0, slot, slot + BINS);
      }
      return;
    }
    for (let i = 0; i < FFT_SIZE; i++) {
      const window = hann[i] ?? 0;
      real[i] = (samples[(start + i) & mask] ?? 0) * window;
      imaginary[i] = (samples[(start + HOP + i) & mask] ?? 0) * window;
    }
    fft(real, imaginary);
    separate(real, imaginary, { re, im }, here, next);
  }

  return {
    re,
    im,
    at,
    make(frame) {
      while (made <= frame) makePair();
    },
  };
}
