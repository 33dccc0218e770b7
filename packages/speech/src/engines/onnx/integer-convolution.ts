import type { NewNode } from "./graph.ts";

/** A convolution over time without padding. The file has its weights in 8 bits. */
export interface Convolution {
  /** What it is computed from: [1, channels, length]. */
  readonly input: string;
  readonly output: string;
  /** The start of the names of its weights, of their scale, and of what is added to them. */
  readonly weight: string;
  readonly bias: string;
  readonly kernel: number;
  readonly stride: number;
  readonly channels: number;
}

const types = { float32: 1, uint8: 2, int8: 3 };
/** A slice goes on to the end. */
const TO_END = 2 ** 31 - 1;
const swapped = { perm: [0, 2, 1] };

/**
 * The same convolution as a product of matrices in 8 bits, as the layers behind it are computed. The graph in the file turns its
 * weights into floats, which takes three times as long. A row of the first matrix holds the values under the kernel at one
 * position. Each row has a scale of its own: with one for all of them, most values would be zero, since speech is much louder at
 * some times than at others.
 *
 * The length of the input must be such that the last position of the kernel ends with it.
 */
export function integerConvolution(convolution: Convolution): NewNode[] {
  const { input, output, weight, bias, kernel, stride, channels } = convolution;
  const nodes: NewNode[] = [];
  const add = (type: string, inputs: readonly string[], name: string, attributes = {}): string => {
    nodes.push({ type, inputs, outputs: [`${output}/${name}`], attributes });
    return `${output}/${name}`;
  };
  const integers = (name: string, values: readonly number[]) => add("Constant", [], name, { value_ints: values });
  const number = (name: string, value: number) =>
    add("Cast", [integers(`${name}-integer`, [value])], name, { to: types.float32 });

  const rows = add("Transpose", [input], "rows", swapped);
  const axis = integers("axis", [1]);
  /** As many taps as the kernel moves on are next to each other in the rows already. */
  const taps: string[] = [];
  for (let tap = 0; tap < kernel; tap += stride) {
    const count = Math.min(stride, kernel - tap);
    const missing = kernel - tap - stride;
    const to = integers(`to-${tap}`, [missing > 0 ? -missing : TO_END]);
    const step = integers(`step-${tap}`, [count === stride ? 1 : stride]);
    const part = add("Slice", [rows, integers(`from-${tap}`, [tap]), to, axis, step], `part-${tap}`);
    taps.push(add("Reshape", [part, integers(`shape-${tap}`, [1, -1, count * channels])], `taps-${tap}`));
  }
  const values = add("Concat", taps, "values", { axis: 2 });
  const largest = add("ReduceMax", [add("Abs", [values], "sizes")], "largest", { axes: [2] });
  const least = add("Div", [number("one", 1), number("million", 1_000_000)], "least");
  const scale = add("Div", [add("Max", [largest, least], "size"), number("levels", 127)], "scale");
  // The cast rounds down. The middle of the range stands for zero.
  const middle = add("Div", [number("twice-the-middle", 257), number("two", 2)], "middle");
  const shifted = add("Add", [add("Div", [values, scale], "divided"), middle], "shifted");
  const matrix = add("Cast", [shifted], "matrix", { to: types.uint8 });
  const zero = add("Cast", [integers("zero-integer", [128])], "zero", { to: types.uint8 });

  const weightRows = add("Transpose", [`${weight}_quantized`], "weight-rows", swapped);
  const weightTaps = add("Reshape", [weightRows, integers("weight-shape", [0, -1])], "weight-taps");
  const weights = add("Transpose", [weightTaps], "weights", { perm: [1, 0] });
  const added = add("Div", [`${weight}_zero_point`, `${weight}_scale`], "weight-added");
  const weightMiddle = add("Round", [add("Neg", [added], "weight-middle-exact")], "weight-middle");
  const weightZero = add("Cast", [weightMiddle], "weight-zero", { to: types.int8 });

  const product = add("MatMulInteger", [matrix, weights, zero, weightZero], "product");
  const sums = add("Cast", [product], "sums", { to: types.float32 });
  // One after the other: onnxruntime takes a product of both for one scale of all rows.
  const scaled = add("Mul", [add("Mul", [sums, scale], "row-scaled"), `${weight}_scale`], "scaled");
  const result = add("Add", [scaled, bias], "result");
  return [...nodes, { type: "Transpose", inputs: [result], outputs: [output], attributes: swapped }];
}
