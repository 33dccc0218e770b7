import { readFile } from "node:fs/promises";
import { floats, floatsOf, openSession } from "../../../engines/session.ts";
import { type Matrix, readComponents, readMatrixFile } from "./kaldi.ts";
import { MFCC_SIZE, mfcc, withoutSlidingMean } from "./mfcc.ts";
import { frameNetwork } from "./network.ts";

/** A network for speaker embeddings: the cosine of two x-vectors is the similarity of the voices. */
export interface XVector {
  /** The sample rate of the audio that it accepts. */
  readonly sampleRate: number;
  /** A vector of length 1. Longer speech is more reliable; below a second it means little. */
  embed(samples: Float32Array): Promise<Float32Array>;
  close(): Promise<void>;
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

export async function loadXVector(files: XVectorFiles, threads = 1): Promise<XVector> {
  const components = readComponents(await readFile(files.network));
  const session = await openSession(frameNetwork(components), threads);
  const last = components.get("tdnn6.affine");
  if (!last) throw new Error("the network has no layer tdnn6");
  const linear = last.matrix("LinearParams");
  const bias = last.matrix("BiasParams").values;
  const mean = readMatrixFile(await readFile(files.mean)).values;
  const transform = readMatrixFile(await readFile(files.transform));

  return {
    sampleRate: 8000,
    async embed(samples) {
      const { columns, frames } = speechFrames(mfcc(samples));
      if (frames === 0) throw new RangeError("there is no speech in the audio");
      const result = await session.run({ features: floats(columns, 1, MFCC_SIZE, frames) });
      const pooled = pool(floatsOf(result, "frames"), frames);
      const centred = times(linear, pooled).map((value, i) => value + (bias[i] ?? 0) - (mean[i] ?? 0));
      return unit(times(transform, centred));
    },
    close: () => session.release(),
  };
}

/** The cosine of two vectors: 1 for the same direction. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const [left, right] = [unit(a), unit(b)];
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0);
}

/** The frames that are loud enough to be speech, as columns. */
function speechFrames(features: Float32Array): { columns: Float32Array; frames: number } {
  const count = features.length / MFCC_SIZE;
  let loudest = Number.NEGATIVE_INFINITY;
  for (let t = 0; t < count; t++) loudest = Math.max(loudest, features[t * MFCC_SIZE] ?? 0);
  const kept = Array.from({ length: count }, (_, t) => t).filter(
    (t) => (features[t * MFCC_SIZE] ?? 0) > loudest - SPEECH_RANGE,
  );
  const centred = withoutSlidingMean(features);
  const columns = new Float32Array(kept.length * MFCC_SIZE);
  kept.forEach((t, column) => {
    for (let n = 0; n < MFCC_SIZE; n++) columns[n * kept.length + column] = centred[t * MFCC_SIZE + n] ?? 0;
  });
  return { columns, frames: kept.length };
}

/** Means, then standard deviations, of each channel over all frames. */
function pool(values: Float32Array, frames: number): Float32Array {
  const channels = values.length / frames;
  const pooled = new Float32Array(2 * channels);
  for (let channel = 0; channel < channels; channel++) {
    const row = values.subarray(channel * frames, (channel + 1) * frames);
    const average = row.reduce((sum, value) => sum + value, 0) / frames;
    const variance = row.reduce((sum, value) => sum + (value - average) ** 2, 0) / frames;
    pooled[channel] = average;
    pooled[channels + channel] = Math.sqrt(Math.max(variance, MIN_VARIANCE));
  }
  return pooled;
}

/** A matrix times a vector; a column beyond the length of the vector is added as an offset. */
function times({ rows, columns, values }: Matrix, vector: Float32Array): Float32Array {
  return Float32Array.from({ length: rows }, (_, row) => {
    let sum = columns > vector.length ? (values[(row + 1) * columns - 1] ?? 0) : 0;
    for (let i = 0; i < vector.length; i++) sum += (values[row * columns + i] ?? 0) * (vector[i] ?? 0);
    return sum;
  });
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
