import { Tensor } from "onnxruntime-node";
import { integerConvolution } from "../onnx/integer-convolution.ts";
import { readGraph, withModelFile } from "../onnx/read-graph.ts";
import { floats, openSession } from "../session.ts";

export interface MoonshineEncoder {
  /** Encodes samples: [1, frames, width]. */
  encode(samples: Float32Array): Promise<Tensor>;
  close(): Promise<void>;
}

const width = 416;
/** The first convolution: its kernel and its stride in samples. */
const first = { kernel: 127, stride: 64 };
/** The second one, which takes a third of the time if it is computed in floats. */
export const secondConvolution = {
  input: "/groupnorm/Add_output_0",
  output: "/conv2/Conv_output_0",
  weight: "conv2.weight",
  bias: "conv2.bias",
  kernel: 7,
  stride: 3,
  channels: width,
};

export async function loadEncoder(file: string, threads: number): Promise<MoonshineEncoder> {
  const graph = await readGraph(file);
  const session = await withModelFile(file, () => {
    const stage = graph.cut(
      [{ name: "input_values", type: "float32", shape: [1, "samples"] }],
      [{ name: "last_hidden_state", type: "float32", shape: [1, "frames", width] }],
      integerConvolution(secondConvolution),
    );
    return openSession(stage, threads, { keepMemory: false, approximates: true });
  });
  return {
    async encode(samples) {
      const used = samples.subarray(0, usedSamples(samples.length));
      const { last_hidden_state: encoded } = await session.run({ input_values: floats(used, 1, used.length) });
      if (!(encoded instanceof Tensor)) throw new Error("the speech encoder has no output");
      return encoded;
    },
    close: () => session.release(),
  };
}

/** The samples that the second convolution uses: it has to end with its input. */
export function usedSamples(samples: number): number {
  const positions = Math.floor((samples - first.kernel) / first.stride) + 1;
  const moves = Math.floor((positions - secondConvolution.kernel) / secondConvolution.stride);
  return (secondConvolution.kernel + moves * secondConvolution.stride - 1) * first.stride + first.kernel;
}
