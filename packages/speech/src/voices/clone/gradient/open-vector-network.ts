import { gradientOf, withGradient } from "../../../engines/onnx/gradient/gradient.ts";
import { floats, floatsOf, openSession } from "../../../engines/session.ts";

/** A network from features to a vector of length 1. */
export interface VectorNetwork {
  /** The distance of the vector to a target, and the gradient of it by the features. */
  run(
    features: Float32Array,
    rows: number,
    target: Float32Array,
  ): Promise<{ distance: number; byFeatures: Float32Array }>;
  close(): Promise<void>;
}

/** Opens a model with the input `features` [1, rows, frames] and the output `vector` of length 1. */
export async function openVectorNetwork(model: Uint8Array, threads: number): Promise<VectorNetwork> {
  const session = await openSession(withGradient(model, { of: ["vector"], by: ["features"] }), threads);
  return {
    async run(features, rows, target) {
      const outputs = await session.run({
        features: floats(features, 1, rows, features.length / rows),
        // The distance is 1 minus the product of vector and target: so this does not depend on the vector.
        [gradientOf("vector")]: floats(
          target.map((value) => -value),
          1,
          target.length,
        ),
      });
      const product = floatsOf(outputs, "vector").reduce((sum, value, i) => sum + value * (target[i] ?? 0), 0);
      return { distance: 1 - product, byFeatures: floatsOf(outputs, gradientOf("features")) };
    },
    close: () => session.release(),
  };
}
