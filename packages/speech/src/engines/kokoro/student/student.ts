import { createFft } from "../../../audio/fft.ts";
import { conditionOf } from "./condition.ts";
import { createFeatures, MARGIN } from "./features.ts";
import type { StudentNetwork, StudentState } from "./network.ts";
import { createNoiseSpectra, NOISE_FRAMES } from "./noise.ts";
import { offsetTensors } from "./offsets.ts";
import { createOverlapAdd } from "./overlap-add.ts";
import { CONTEXT, FFT_SIZE, HOP, OVERLAP, type Prosody, REPEATED } from "./shape.ts";

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
  /** What the voice adds inside the network: DECODER_OFFSETS numbers. */
  readonly offsets?: Float32Array | undefined;
}

const fft = createFft(FFT_SIZE);
const noiseSpectra = createNoiseSpectra(fft);

/** Decodes with the small network that replaces Kokoro's decoder. All arrays are allocated once, here. */
export function createStudentStream(
  network: StudentNetwork,
  prosody: Prosody,
  { maxFrames, noise = 0, skip = 0, offsets }: StreamOptions,
): StudentStream {
  const frames = prosody.pitch.length;
  const condition = conditionOf(prosody);
  const ofVoice = offsets && offsetTensors(offsets);
  /** The next frame that is filtered. */
  let nextFrame = skip - OVERLAP;
  let decoded = skip;
  let state: StudentState | undefined;
  const features = createFeatures(prosody, fft, {
    first: Math.max(-OVERLAP, skip - MARGIN),
    kept: maxFrames + MARGIN + 2 * OVERLAP,
  });
  const noiseFrame = (noise >>> 0) % NOISE_FRAMES;
  const filtered = { source: features.spectra, noise: noiseSpectra };
  const output = createOverlapAdd(filtered, fft, { maxFrames, start: skip * HOP, noiseFrame });

  return {
    frames,
    async next(requested) {
      const count = Math.min(requested, maxFrames, frames - decoded);
      if (count <= 0) return new Float32Array(0);
      // The frames that overlap this window, without those that the previous window has added already.
      const end = decoded + count + OVERLAP;
      features.prepare(end + CONTEXT);
      const start = state ? nextFrame + CONTEXT - REPEATED : nextFrame - CONTEXT;
      const shaped = await network.shape(features.rows(start, end + CONTEXT), condition, { state, offsets: ofVoice });
      state = shaped.state;
      output.add(nextFrame, end - nextFrame, shaped.shaping);
      nextFrame = end;
      decoded += count;
      return output.take(count);
    },
  };
}
