import { floats, floatsOf, openSession } from "../../../engines/session.ts";
import type { Matrix } from "./kaldi.ts";
import { MIN_VARIANCE, readLayers, type XVectorFiles } from "./layers.ts";
import { MFCC_SIZE, mfcc, withoutSlidingMean } from "./mfcc.ts";
import { frameNetwork } from "./network.ts";
import { columnsOf, loudFrames, speechFrames } from "./speech-frames.ts";
import { unit } from "./vectors.ts";

export type { XVectorFiles } from "./layers.ts";

/** A network for speaker embeddings: the cosine of two x-vectors is the similarity of the voices. */
export interface XVector {
  /** The sample rate of the audio that it accepts. */
  readonly sampleRate: number;
  /** A vector of length 1. Longer speech is more reliable; below a second it means little. */
  embed(samples: Float32Array): Promise<Float32Array>;
  /**
   * The vector of each window, which may overlap; undefined where it is silent. The network runs once over all samples, which
   * costs a fraction of embedding every window, and each frame is seen with the ones around it.
   */
  embedWindows(samples: Float32Array, windows: readonly SampleWindow[]): Promise<(Float32Array | undefined)[]>;
  close(): Promise<void>;
}

/** A part of some samples, in seconds from the first one. */
export interface SampleWindow {
  readonly from: number;
  readonly to: number;
}

const FRAMES_PER_SECOND = 100;

export async function loadXVector(files: XVectorFiles, threads = 1): Promise<XVector> {
  const layers = await readLayers(files);
  const { linear, bias, mean, transform } = layers;
  const session = await openSession(frameNetwork(layers.components), threads);

  const run = async (columns: Float32Array, frames: number): Promise<Float32Array> =>
    floatsOf(await session.run({ features: floats(columns, 1, MFCC_SIZE, frames) }), "frames");
  const vectorOf = (pooled: Float32Array): Float32Array => {
    const centred = times(linear, pooled).map((value, i) => value + (bias[i] ?? 0) - (mean[i] ?? 0));
    return unit(times(transform, centred));
  };

  return {
    sampleRate: 8000,
    async embed(samples) {
      const { columns, kept } = speechFrames(mfcc(samples));
      return vectorOf(pool(await run(columns, kept.length), kept.length));
    },
    async embedWindows(samples, windows) {
      const features = mfcc(samples);
      const count = features.length / MFCC_SIZE;
      if (count === 0) return windows.map(() => undefined);
      const all = Array.from({ length: count }, (_, t) => t);
      const values = await run(columnsOf(withoutSlidingMean(features), all), count);
      return windows.map(({ from, to }) => {
        const inside = all.slice(Math.round(from * FRAMES_PER_SECOND), Math.round(to * FRAMES_PER_SECOND));
        const loud = loudFrames(features, inside);
        return loud.length === 0 ? undefined : vectorOf(pool(values, count, Uint32Array.from(loud)));
      });
    },
    close: () => session.release(),
  };
}

/** Means, then standard deviations, of each channel over some of its frames, or all. */
function pool(
  values: Float32Array,
  frames: number,
  some = Uint32Array.from({ length: frames }, (_, t) => t),
): Float32Array {
  const channels = values.length / frames;
  const pooled = new Float32Array(2 * channels);
  for (let channel = 0; channel < channels; channel++) {
    const row = channel * frames;
    let sum = 0;
    for (let i = 0; i < some.length; i++) sum += values[row + (some[i] ?? 0)] ?? 0;
    const average = sum / some.length;
    let squares = 0;
    for (let i = 0; i < some.length; i++) squares += ((values[row + (some[i] ?? 0)] ?? 0) - average) ** 2;
    pooled[channel] = average;
    pooled[channels + channel] = Math.sqrt(Math.max(squares / some.length, MIN_VARIANCE));
  }
  return pooled;
}

/** A matrix times a vector; a column beyond the length of the vector is added as an offset. */
function times({ rows, columns, values }: Matrix, vector: Float32Array): Float32Array {
  const result = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    let sum = columns > vector.length ? (values[start + columns - 1] ?? 0) : 0;
    for (let i = 0; i < vector.length; i++) sum += (values[start + i] ?? 0) * (vector[i] ?? 0);
    result[row] = sum;
  }
  return result;
}
