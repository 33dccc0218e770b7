import type { Fft } from "../../../audio/fft.ts";
import { ASR, CONTEXT, FEATURES, HOP, LOW_BINS, MIN_PITCH, OVERLAP, type Prosody, WINDOW_START } from "./shape.ts";
import { createSource } from "./signals.ts";
import { createSpectra, type Spectra } from "./spectra.ts";

/** Rows of zeros around the text. */
export const MARGIN = CONTEXT + OVERLAP;

/** What the network sees of a text, computed frame by frame. */
export interface Features {
  /** The spectra of the source. */
  readonly spectra: Spectra;
  /** Computes the frames before `end`. */
  prepare(end: number): void;
  /** The rows of the frames from `start` to `end`. Frames outside the text are rows of zeros. */
  rows(start: number, end: number): Float32Array;
}

export interface FeaturesOptions {
  /** The first frame that is computed. */
  readonly first: number;
  /** The number of frames whose spectra stay available. */
  readonly kept: number;
}

export function createFeatures(prosody: Prosody, fft: Fft, { first, kept }: FeaturesOptions): Features {
  const { asr, pitch, energy } = prosody;
  const frames = pitch.length;
  const source = createSource(pitch, first * HOP + WINDOW_START);
  const spectra = createSpectra(source, fft, first, kept);
  const features = new Float32Array((frames + 2 * MARGIN) * FEATURES);
  let prepared = first;

  function fill(frame: number): void {
    const row = (frame + MARGIN) * FEATURES;
    // Two frames share what the encoder gives.
    if (frame % 2 === 1 && frame > first) features.copyWithin(row, row - FEATURES, row - FEATURES + ASR);
    else {
      const width = frames / 2;
      const column = frame >> 1;
      for (let channel = 0; channel < ASR; channel++) features[row + channel] = asr[channel * width + column] ?? 0;
    }
    const hertz = pitch[frame] ?? 0;
    const voiced = hertz > MIN_PITCH;
    features[row + ASR] = voiced ? Math.log(hertz / 200) : 0;
    features[row + ASR + 1] = voiced ? 1 : 0;
    features[row + ASR + 2] = 0.15 * (energy[frame] ?? 0);
    features[row + ASR + 3] = 1;
    const slot = spectra.at(frame);
    for (let k = 0; k < LOW_BINS; k++) {
      features[row + ASR + 4 + k] = 0.05 * (spectra.re[slot + k] ?? 0);
      features[row + ASR + 4 + LOW_BINS + k] = 0.05 * (spectra.im[slot + k] ?? 0);
    }
  }

  return {
    spectra,
    prepare(end) {
      for (; prepared < Math.min(end, frames + OVERLAP); prepared++) {
        spectra.make(prepared);
        if (prepared >= 0 && prepared < frames) fill(prepared);
      }
    },
    rows: (start, end) => features.subarray((start + MARGIN) * FEATURES, (end + MARGIN) * FEATURES),
  };
}
