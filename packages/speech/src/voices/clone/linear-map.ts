import { readFile } from "node:fs/promises";
import { SPEAKER_SIZE } from "../../engines/piper/stages.ts";
import type { HeardSpeaker } from "./analyzed-speaker.ts";

/**
 * From what a speaker sounds like to Piper's vector for him: a linear map that was fitted to the 904 speakers whose vectors
 * are known. It tells which way to go when a voice was tried and did not sound as it should.
 */
export interface LinearMap {
  /** What a speaker is described by. */
  describe(speaker: HeardSpeaker): Float64Array;
  toVector(description: Float64Array): Float32Array;
  /** A vector that sounds different by so much of a description. */
  moved(vector: Float32Array, by: Float64Array): Float32Array;
  /** How far a vector is from the mean of all speakers; theirs are from 3.5 to 6.5. */
  distance(vector: Float32Array): number;
}

export const linearFile = new URL("../../../assets/piper-speakers/linear.bin", import.meta.url);

const VECTOR_SIZE = 128;
/** The x-vector, and the pitch in octaves. */
export const FEATURES = VECTOR_SIZE + 1;
const USUAL_PITCH = 160;

/**
 * Regression says too little of what is special about a voice: it would rather be wrong by little everywhere. So what it
 * says is taken further from the mean.
 */
const EXAGGERATION = 1.5;

/** Undefined for what is not known: the mean takes its place. */
export function featuresOf({ vector, pitch }: HeardSpeaker): readonly (number | undefined)[] {
  return [...vector, pitch === undefined ? undefined : Math.log2(pitch / USUAL_PITCH)];
}

export async function readLinearMap(file: URL = linearFile): Promise<LinearMap> {
  const bytes = await readFile(file);
  const numbers = Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  if (numbers.length !== FEATURES + SPEAKER_SIZE + FEATURES * SPEAKER_SIZE) {
    throw new Error(`${file.pathname} is damaged`);
  }
  const usual = numbers.subarray(0, FEATURES);
  const mean = numbers.subarray(FEATURES, FEATURES + SPEAKER_SIZE);
  const map = numbers.subarray(FEATURES + SPEAKER_SIZE);
  function moved(vector: Float32Array, by: Float64Array): Float32Array {
    const result = Float64Array.from(vector);
    by.forEach((value, feature) => {
      for (let i = 0; i < SPEAKER_SIZE; i++) {
        result[i] = (result[i] ?? 0) + EXAGGERATION * value * (map[feature * SPEAKER_SIZE + i] ?? 0);
      }
    });
    return Float32Array.from(result);
  }
  return {
    describe: (speaker) => Float64Array.from(featuresOf(speaker), (value, i) => value ?? usual[i] ?? 0),
    toVector: (description) =>
      moved(
        mean,
        description.map((value, i) => value - (usual[i] ?? 0)),
      ),
    moved,
    distance: (vector) => Math.hypot(...vector.map((value, i) => value - (mean[i] ?? 0))),
  };
}
