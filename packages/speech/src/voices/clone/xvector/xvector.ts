import { readFile } from "node:fs/promises";
import { floats, floatsOf, openSession } from "../../../engines/session.ts";
import { type Matrix, readComponents, readMatrixFile } from "./kaldi.ts";
import { MFCC_SIZE, mfcc, withoutSlidingMean } from "./mfcc.ts";
import { frameNetwork } from "./network.ts";
import { unit } from "./vectors.ts";

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

export interface XVectorFiles {
  /** The network, in Kaldi's nnet3 format. */
  readonly network: string;
  readonly mean: string;
  readonly transform: string;
}

/** Frames this much below the loudest, in log energy, are not speech. */
const SPEECH_RANGE = 9;
const MIN_VARIANCE = 1e-10;
const FRAMES_PER_SECOND = 100;

export async function loadXVector(files: XVectorFiles, threads = 1): Promise<XVector> {
  const components = readComponents(await readFile(files.network));
  const session = await openSession(frameNetwork(components), threads);
  const last = components.get("tdnn6.affine");
  if (!last) throw new Error("the network has no layer tdnn6");
  const linear = last.matrix("LinearParams");
  const bias = last.matrix("BiasParams").values;
  const mean = readMatrixFile(await readFile(files.mean)).values;
  const transform = readMatrixFile(await readFile(files.transform));

  const run = async (columns: Float32Array, frames: number): Promise<Float32Array> =>
    floatsOf(await session.run({ features: floats(columns, 1, MFCC_SIZE, frames) }), "frames");
  const vectorOf = (pooled: Float32Array): Float32Array => {
    const centred = times(linear, pooled).map((value, i) => value + (bias[i] ?? 0) - (mean[i] ?? 0));
    return unit(times(transform, centred));
  };

  return {
    sampleRate: 8000,
    async embed(samples) {
      const { columns, frames } = speechFrames(mfcc(samples));
      if (frames === 0) throw new RangeError("there is no speech in the audio");
      return vectorOf(pool(await run(columns, frames), frames));
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

/** The frames that are loud enough to be speech, as columns. */
function speechFrames(features: Float32Array): { columns: Float32Array; frames: number } {
  const kept = loudFrames(
    features,
    Array.from({ length: features.length / MFCC_SIZE }, (_, t) => t),
  );
  return { columns: columnsOf(withoutSlidingMean(features), kept), frames: kept.length };
}

/** Those of the frames that are not much quieter than the loudest of them. */
function loudFrames(features: Float32Array, frames: readonly number[]): number[] {
  let loudest = Number.NEGATIVE_INFINITY;
  for (const t of frames) loudest = Math.max(loudest, features[t * MFCC_SIZE] ?? 0);
  return frames.filter((t) => (features[t * MFCC_SIZE] ?? 0) > loudest - SPEECH_RANGE);
}

function columnsOf(features: Float32Array, frames: readonly number[]): Float32Array {
  const columns = new Float32Array(frames.length * MFCC_SIZE);
  frames.forEach((t, column) => {
    for (let n = 0; n < MFCC_SIZE; n++) columns[n * frames.length + column] = features[t * MFCC_SIZE + n] ?? 0;
  });
  return columns;
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
