import { readFile } from "node:fs/promises";
import { cloningEngine } from "../../engines/registry.ts";
import type { SpeakerFeatures } from "./speaker-features.ts";

/**
 * A linear map from speaker features to an embedding, fitted to the engine's own speakers, whose embeddings are known. It
 * gives the direction of a correction when a voice was tried and does not sound as it should.
 */
export interface LinearMap {
  /** The features as numbers; the mean stands for unknown ones. */
  describe(speaker: SpeakerFeatures): Float64Array;
  toVector(description: Float64Array): Float32Array;
  /** The embedding that sounds different by this change of the description. */
  moved(vector: Float32Array, by: Float64Array): Float32Array;
  /** The distance from the mean of all speakers; theirs are from 3.5 to 6.5. */
  distance(vector: Float32Array): number;
}

const VECTOR_SIZE = 128;
/** The x-vector, and the pitch in octaves. */
export const FEATURES = VECTOR_SIZE + 1;
const REFERENCE_PITCH = 160;

/** Ridge regression underestimates how much a voice differs from the mean, so its result is scaled away from it. */
const EXTRAPOLATION = 1.5;

/** Undefined stands for unknown. */
export function featuresOf({ vector, pitch }: SpeakerFeatures): readonly (number | undefined)[] {
  return [...vector, pitch === undefined ? undefined : Math.log2(pitch / REFERENCE_PITCH)];
}

export async function readLinearMap(file: URL = cloningEngine.cloning.linearMap): Promise<LinearMap> {
  const size = cloningEngine.cloning.embeddingSize;
  const bytes = await readFile(file);
  const numbers = Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  if (numbers.length !== FEATURES + size + FEATURES * size) {
    throw new Error(`${file.pathname} is damaged`);
  }
  const meanFeatures = numbers.subarray(0, FEATURES);
  const meanVector = numbers.subarray(FEATURES, FEATURES + size);
  const map = numbers.subarray(FEATURES + size);
  function moved(vector: Float32Array, by: Float64Array): Float32Array {
    const result = Float64Array.from(vector);
    by.forEach((value, feature) => {
      for (let i = 0; i < size; i++) {
        result[i] = (result[i] ?? 0) + EXTRAPOLATION * value * (map[feature * size + i] ?? 0);
      }
    });
    return Float32Array.from(result);
  }
  return {
    describe: (speaker) => Float64Array.from(featuresOf(speaker), (value, i) => value ?? meanFeatures[i] ?? 0),
    toVector: (description) =>
      moved(
        meanVector,
        description.map((value, i) => value - (meanFeatures[i] ?? 0)),
      ),
    moved,
    distance: (vector) => Math.hypot(...vector.map((value, i) => value - (meanVector[i] ?? 0))),
  };
}
