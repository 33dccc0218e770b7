import { InferenceSession, Tensor } from "onnxruntime-node";

export type { InferenceSession } from "onnxruntime-node";

/**
 * Opens a model, or a stage of one, on a number of threads. A model whose inputs are of ever other lengths should not keep the
 * memory of the longest for the next (`keepMemory`): that doubles what its process holds, and makes nothing faster.
 */
export function openSession(
  model: string | Uint8Array,
  threads: number,
  { keepMemory = true }: { readonly keepMemory?: boolean } = {},
): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ["cpu"],
    graphOptimizationLevel: "all",
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: keepMemory,
    logSeverityLevel: 3,
    // Threads that spin while they wait take the cores away from the workers beside them.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  };
  return typeof model === "string" ? InferenceSession.create(model, options) : InferenceSession.create(model, options);
}

export function floats(data: Float32Array, ...shape: number[]): Tensor {
  return new Tensor("float32", data, shape);
}

export function integers(data: readonly number[], ...shape: number[]): Tensor {
  return new Tensor("int64", BigInt64Array.from(data, BigInt), shape);
}

/** A named float output of a run. */
export function floatsOf(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`the model gave no numbers for "${name}"`);
  return data;
}
