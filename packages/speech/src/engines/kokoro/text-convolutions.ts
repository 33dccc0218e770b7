import type { NewNode } from "../onnx/graph.ts";

/** The three convolutions of Kokoro's text encoder, as its graph names them: what each of them gets in 8 bits. */
const encoder = "/encoder/text_encoder";
const inputs = [
  `${encoder}/Transpose_output_0`,
  `${encoder}/cnn.0/cnn.0.2/LeakyRelu_output_0`,
  `${encoder}/cnn.1/cnn.0.2/LeakyRelu_output_0`,
];
const KERNEL = 5;
const CHANNELS = 512;
/** A slice goes on to the end. */
const TO_END = 2 ** 31 - 1;
const swapped = { perm: [0, 2, 1] };

/** The convolutions as products of matrices. The whole numbers are the same, and onnxruntime computes them in half the time. */
export function textConvolutions(): NewNode[] {
  return inputs.flatMap((input, layer) => {
    const layerName = `${encoder}/cnn.${layer}`;
    const weight = `${layerName}/Mul_output_0`;
    const output = `${layerName}/cnn.${layer}.0/Conv_output_0_output_quantized`;
    const nodes: NewNode[] = [];
    const add = (type: string, from: readonly string[], name: string, attributes: NewNode["attributes"] = {}) => {
      nodes.push({ type, inputs: from, outputs: [`${output}/${name}`], attributes });
      return `${output}/${name}`;
    };
    const integers = (name: string, values: readonly number[]) => add("Constant", [], name, { value_ints: values });

    const rows = add("Transpose", [`${input}_dynamic_quantized`], "rows", swapped);
    const margin = (KERNEL - 1) / 2;
    const margins = integers("margins", [0, margin, 0, 0, margin, 0]);
    const padded = add("Pad", [rows, margins, `${input}_zero_point`], "padded");
    const axis = integers("axis", [1]);
    const taps = Array.from({ length: KERNEL }, (_, tap) => {
      const last = tap - KERNEL + 1;
      const ends = integers(`to-${tap}`, [last < 0 ? last : TO_END]);
      return add("Slice", [padded, integers(`from-${tap}`, [tap]), ends, axis], `tap-${tap}`);
    });
    const values = add("Concat", taps, "values", { axis: 2 });
    const weightTaps = add("Transpose", [`${weight}_quantized`], "weight-taps", { perm: [2, 1, 0] });
    const weights = add("Reshape", [weightTaps, integers("weight-shape", [-1, CHANNELS])], "weights");
    const zeros = [`${input}_zero_point`, `${weight}_zero_point`];
    const product = add("MatMulInteger", [values, weights, ...zeros], "product");
    return [...nodes, { type: "Transpose", inputs: [product], outputs: [output], attributes: swapped }];
  });
}
