import { bytesField, numberField, textField } from "../../../engines/onnx/protobuf.ts";
import { concatBytes } from "../../../lib/concat.ts";
import type { Component, Matrix } from "./kaldi.ts";
import { MFCC_SIZE } from "./mfcc.ts";

/** Kernel size and dilation of each layer. */
const layers = [
  { name: "tdnn1", kernel: 5, dilation: 1 },
  { name: "tdnn2", kernel: 3, dilation: 2 },
  { name: "tdnn3", kernel: 3, dilation: 3 },
  { name: "tdnn4", kernel: 1, dilation: 1 },
  { name: "tdnn5", kernel: 1, dilation: 1 },
] as const;

/** The layers below the pooling as an ONNX model: `features` [1, MFCC_SIZE, frames] in, `frames` [1, 1500, frames] out. */
export function frameNetwork(components: ReadonlyMap<string, Component>): Uint8Array {
  const nodes: Uint8Array[] = [];
  const weights: Uint8Array[] = [];
  const find = (name: string): Component => {
    const component = components.get(name);
    if (!component) throw new Error(`the network has no layer ${name}`);
    return component;
  };
  let value = "features";
  let width = MFCC_SIZE;
  for (const { name, kernel, dilation } of layers) {
    const affine = find(`${name}.affine`);
    const linear = affine.matrix("LinearParams");
    const bias = affine.matrix("BiasParams");
    const { scale, shift } = normalization(find(`${name}.batchnorm`));
    const margin = ((kernel - 1) / 2) * dilation;
    // The first and the last frame are repeated as padding.
    weights.push(integerTensor(`${name}.pads`, [0, 0, margin, 0, 0, margin]));
    weights.push(tensor(`${name}.weight`, [linear.rows, width, kernel], kernels(linear, width, kernel)));
    weights.push(tensor(`${name}.bias`, [linear.rows], bias.values));
    weights.push(tensor(`${name}.scale`, [1, linear.rows, 1], scale));
    weights.push(tensor(`${name}.shift`, [1, linear.rows, 1], shift));
    const steps = ["padded", "affine", "relu", "scaled", "out"].map((step) => `${name}.${step}`);
    const [padded = "", affined = "", rectified = "", scaled = "", out = ""] = steps;
    nodes.push(node("Pad", [value, `${name}.pads`], padded, textAttribute("mode", "edge")));
    nodes.push(node("Conv", [padded, `${name}.weight`, `${name}.bias`], affined, integers("dilations", dilation)));
    nodes.push(node("Relu", [affined], rectified));
    nodes.push(node("Mul", [rectified, `${name}.scale`], scaled));
    nodes.push(node("Add", [scaled, `${name}.shift`], out));
    value = out;
    width = linear.rows;
  }
  nodes.push(node("Identity", [value], "frames"));
  return concatBytes([
    numberField(1, 8),
    bytesField(8, [textField(1, ""), numberField(2, 17)]),
    bytesField(7, [
      ...nodes,
      textField(2, "x-vector"),
      ...weights,
      port(11, "features", MFCC_SIZE),
      port(12, "frames", width),
    ]),
  ]);
}

/** Kaldi orders the weights by frame, then channel; a convolution by channel, then frame. */
function kernels({ rows, columns, values }: Matrix, width: number, kernel: number): Float32Array {
  if (columns !== width * kernel) throw new Error(`a layer reads ${columns} numbers instead of ${width * kernel}`);
  const result = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let channel = 0; channel < width; channel++) {
      for (let at = 0; at < kernel; at++) {
        result[(row * width + channel) * kernel + at] = values[row * columns + at * width + channel] ?? 0;
      }
    }
  }
  return result;
}

function normalization(component: Component): { scale: Float32Array; shift: Float32Array } {
  const mean = component.matrix("StatsMean").values;
  const variance = component.matrix("StatsVar").values;
  const [rms, epsilon] = [component.number("TargetRms"), component.number("Epsilon")];
  const scale = variance.map((value) => rms / Math.sqrt(value + epsilon));
  return { scale, shift: mean.map((value, i) => -value * (scale[i] ?? 0)) };
}

// Field numbers of onnx.proto.
function node(type: string, inputs: readonly string[], output: string, attribute?: Uint8Array): Uint8Array {
  const parts = [...inputs.map((name) => textField(1, name)), textField(2, output), textField(4, type)];
  return bytesField(1, attribute ? [...parts, attribute] : parts);
}

function textAttribute(name: string, value: string): Uint8Array {
  return bytesField(5, [textField(1, name), textField(4, value), numberField(20, 3)]);
}

function integers(name: string, ...values: number[]): Uint8Array {
  return bytesField(5, [textField(1, name), ...values.map((value) => numberField(8, value)), numberField(20, 7)]);
}

function tensor(name: string, shape: readonly number[], values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return bytesField(5, [...sizes(shape), numberField(2, 1), textField(8, name), bytesField(9, [bytes])]);
}

function integerTensor(name: string, values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  return bytesField(5, [...sizes([values.length]), numberField(2, 7), textField(8, name), bytesField(9, [bytes])]);
}

const sizes = (shape: readonly number[]) => shape.map((size) => numberField(1, size));

function port(field: number, name: string, channels: number): Uint8Array {
  const dimensions = [
    bytesField(1, [numberField(1, 1)]),
    bytesField(1, [numberField(1, channels)]),
    bytesField(1, [textField(2, "frames")]),
  ];
  const type = bytesField(1, [numberField(1, 1), bytesField(2, dimensions)]);
  return bytesField(field, [textField(1, name), bytesField(2, [type])]);
}
