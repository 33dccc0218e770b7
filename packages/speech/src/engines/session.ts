import { readFile } from "node:fs/promises";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { fuseNodes } from "./onnx/fuse.ts";
import { withModelFile } from "./onnx/read-graph.ts";

export type { InferenceSession } from "onnxruntime-node";

export interface OpenOptions {
  readonly keepMemory?: boolean;
  readonly approximates?: boolean;
  readonly singleRows?: boolean;
}

/**
 * Opens a model, or a stage of one, on a number of threads. `keepMemory: false` is for models with inputs of varying lengths:
 * keeping the memory of the longest one would double the size of the process without making it faster. `approximates`: with the
 * hyperbolic tangent in place of the error function, which differs by less than the 8-bit numbers around it. `singleRows`: for
 * products of a single row with a matrix, as decoders have. onnxruntime would join them with their scale, and has a fast form of
 * such products only without one.
 */
export function openSession(
  model: string | Uint8Array,
  threads: number,
  { keepMemory = true, approximates = false, singleRows = false }: OpenOptions = {},
): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ["cpu"],
    graphOptimizationLevel: "all",
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: keepMemory,
    logSeverityLevel: 3,
    // Threads that spin while they wait would take cores from other workers.
    extra: {
      session: { intra_op: { allow_spinning: "0" } },
      optimization: {
        ...(approximates ? { enable_gelu_approximation: "1" } : {}),
        ...(singleRows ? { disable_specified_optimizers: "MatMulScaleFusion;MatmulTransposeFusion" } : {}),
      },
    },
  };
  if (typeof model !== "string") return InferenceSession.create(model, options);
  return withModelFile(model, () => InferenceSession.create(model, options));
}

/** Opens a model of this package, with nodes joined that onnxruntime does not join by itself. */
export async function openFusedSession(file: string, threads: number): Promise<InferenceSession> {
  const bytes = await readFile(file);
  return withModelFile(file, () => openSession(fuseNodes(bytes), threads));
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
  if (!(data instanceof Float32Array)) throw new Error(`the model has no float output "${name}"`);
  return data;
}
