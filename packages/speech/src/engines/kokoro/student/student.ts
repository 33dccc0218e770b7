import { createFft } from "../../../audio/fft.ts";
import { conditionOf } from "./condition.ts";
import type { StudentNetwork, StudentState } from "./network.ts";
import { createNoiseSpectra, NOISE_FRAMES } from "./noise.ts";
import { createOverlapAdd } from "./overlap-add.ts";
import {
  ASR,
  CONTEXT,
  FEATURES,
  FFT_SIZE,
  HOP,
  LOW_BINS,
  MIN_PITCH,
  OVERLAP,
  type Prosody,
  REPEATED,
  WINDOW_START,
} from "./shape.ts";
import { createSource } from "./signals.ts";
import { createSpectra } from "./spectra.ts";

/** The audio of a text, in windows. Their size does not change the samples. */
export interface StudentStream {
  readonly frames: number;
  /** The samples of the next frames, HOP each: at most `maxFrames`, and none after the last. */
  next(frames: number): Promise<Float32Array>;
}

export interface StreamOptions {
  /** The maximum number of frames that are requested at once. */
  readonly maxFrames: number;
  /** Selects the noise; the network was tested with 0. */
  readonly noise?: number;
  /** Frames at the start that are not wanted. The samples after them are the same. */
  readonly skip?: number;
}

const fft = createFft(FFT_SIZE);
const noiseSpectra = createNoiseSpectra(fft);
/** Rows of zeros around the text. */
const MARGIN = CONTEXT + OVERLAP;

/** Decodes with the small network that replaces Kokoro's decoder. All arrays are allocated once, here. */
export function createStudentStream(
  network: StudentNetwork,
  prosody: Prosody,
  { maxFrames, noise = 0, skip = 0 }: StreamOptions,
): StudentStream {
  const { asr, pitch, energy } = prosody;
  const frames = pitch.length;
  const condition = conditionOf(prosody);
  /** The next frame whose features are computed: from the first one that the network sees. */
  const firstFrame = Math.max(-OVERLAP, skip - MARGIN);
  let prepared = firstFrame;
  /** The next frame that is filtered. */
  let nextFrame = skip - OVERLAP;
  let decoded = skip;
  let state: StudentState | undefined;
  const source = createSource(pitch, prepared * HOP + WINDOW_START);
  const spectra = createSpectra(source, fft, prepared, maxFrames + MARGIN + 2 * OVERLAP);
  const noiseFrame = (noise >>> 0) % NOISE_FRAMES;
  const filtered = { source: spectra, noise: noiseSpectra };
  const output = createOverlapAdd(filtered, fft, { maxFrames, start: skip * HOP, noiseFrame });
  const features = new Float32Array((frames + 2 * MARGIN) * FEATURES);

  function prepare(end: number): void {
    for (; prepared < Math.min(end, frames + OVERLAP); prepared++) {
      spectra.make(prepared);
      if (prepared >= 0 && prepared < frames) fillFeatures(prepared);
    }
  }

  function fillFeatures(frame: number): void {
    const row = (frame + MARGIN) * FEATURES;
    // Two frames share what the encoder gives.
    if (frame % 2 === 1 && frame > firstFrame) features.copyWithin(row, row - FEATURES, row - FEATURES + ASR);
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
    frames,
    async next(requested) {
      const count = Math.min(requested, maxFrames, frames - decoded);
      if (count <= 0) return new Float32Array(0);
      // The frames that overlap this window, without those that the previous window has added already.
      const end = decoded + count + OVERLAP;
      prepare(end + CONTEXT);
      const start = state ? nextFrame + CONTEXT - REPEATED : nextFrame - CONTEXT;
      const rows = features.subarray((start + MARGIN) * FEATURES, (end + CONTEXT + MARGIN) * FEATURES);
      const shaped = await network.shape(rows, condition, state);
      state = shaped.state;
      output.add(nextFrame, end - nextFrame, shaped.shaping);
      nextFrame = end;
      decoded += count;
      return output.take(count);
    },
  };
}
