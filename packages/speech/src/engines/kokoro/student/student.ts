import { createFft } from "../../../audio/fft.ts";
import { conditionOf } from "./condition.ts";
import type { StudentNetwork } from "./network.ts";
import { createOverlapAdd } from "./overlap-add.ts";
import {
  ASR,
  CONTEXT,
  FEATURES,
  FFT_SIZE,
  HOP,
  LEAST_PITCH,
  LOW_BINS,
  OVERLAP,
  type Prosody,
  WINDOW_START,
} from "./shape.ts";
import { createSignals } from "./signals.ts";
import { createSpectra } from "./spectra.ts";

/** A text as it is being spoken, from its first frame to its last. Any windows give the samples of the whole. */
export interface StudentStream {
  readonly frames: number;
  /** The samples of the next frames, HOP each: at most `longest`, and none after the last. */
  next(frames: number): Promise<Float32Array>;
}

export interface StreamOptions {
  /** The most frames that are asked for at once. */
  readonly longest: number;
  /** Chooses the noise, 0 is the one that the model was tested with. */
  readonly noise?: number;
}

const fft = createFft(FFT_SIZE);
/** Rows of zeros that stand for the frames around the text. */
const MARGIN = CONTEXT + OVERLAP;

/** Speaks with the small network that took the place of Kokoro's decoder. Its arrays are made here, once. */
export function createStudentStream(
  network: StudentNetwork,
  prosody: Prosody,
  { longest, noise = 0 }: StreamOptions,
): StudentStream {
  const { asr, pitch, energy } = prosody;
  const frames = pitch.length;
  const condition = conditionOf(prosody);
  const signals = createSignals(pitch, noise, -OVERLAP * HOP + WINDOW_START);
  const spectra = createSpectra(signals, fft, longest + MARGIN + 2 * OVERLAP);
  const output = createOverlapAdd(spectra, fft, longest);
  const features = new Float32Array((frames + 2 * MARGIN) * FEATURES);
  let spoken = 0;
  /** The next frame whose features are to be made, and the next that is to be shaped. */
  let prepared = -OVERLAP;
  let shaped = -OVERLAP;

  function prepare(end: number): void {
    for (; prepared < Math.min(end, frames + OVERLAP); prepared++) {
      spectra.make(prepared);
      if (prepared >= 0 && prepared < frames) fillFeatures(prepared);
    }
  }

  function fillFeatures(frame: number): void {
    const row = (frame + MARGIN) * FEATURES;
    const width = frames / 2;
    const column = frame >> 1;
    for (let channel = 0; channel < ASR; channel++) features[row + channel] = asr[channel * width + column] ?? 0;
    const hertz = pitch[frame] ?? 0;
    const voiced = hertz > LEAST_PITCH;
    features[row + ASR] = voiced ? Math.log(hertz / 200) : 0;
    features[row + ASR + 1] = voiced ? 1 : 0;
    features[row + ASR + 2] = 0.15 * (energy[frame] ?? 0);
    features[row + ASR + 3] = 1;
    const slot = spectra.at(frame);
    for (let k = 0; k < LOW_BINS; k++) {
      features[row + ASR + 4 + k] = 0.05 * (spectra.sourceRe[slot + k] ?? 0);
      features[row + ASR + 4 + LOW_BINS + k] = 0.05 * (spectra.sourceIm[slot + k] ?? 0);
    }
  }

  return {
    frames,
    async next(wanted) {
      const count = Math.min(wanted, longest, frames - spoken);
      if (count <= 0) return new Float32Array(0);
      // Frames that reach into this window, less those that the window before has added already.
      const end = spoken + count + OVERLAP;
      prepare(end + CONTEXT);
      const rows = features.subarray((shaped + OVERLAP) * FEATURES, (end + OVERLAP + 2 * CONTEXT) * FEATURES);
      output.add(shaped, end - shaped, await network.shape(rows, condition));
      shaped = end;
      spoken += count;
      return output.take(count);
    },
  };
}
