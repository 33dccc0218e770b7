import { writeAttribute } from "../../../engines/onnx/graph.ts";
import type { Component, Matrix } from "./kaldi.ts";
import { MFCC_SIZE } from "./mfcc.ts";
import { integers, modelOf, node, tensor, textAttribute } from "./write-model.ts";

/** Kernel size and dilation of each layer. */
const layers = [
  { name: "tdnn1", kernel: 5, dilation: 1 },
  { name: "tdnn2", kernel: 3, dilation: 2 },
  { name: "tdnn3", kernel: 3, dilation: 3 },
  { name: "tdnn4", kernel: 1, dilation: 1 },
  { name: "tdnn5", kernel: 1, dilation: 1 },
] as const;

export const FEATURES = { name: "features", type: "float32", shape: [1, MFCC_SIZE, "frames"] } as const;

/** The layers below the pooling as an ONNX model: `features` in, `frames` [1, 1500, frames] out. */
export function frameNetwork(components: ReadonlyMap<string, Component>): Uint8Array {
  const { nodes, weights, width } = frameLayers(components);
  const frames = { name: "frames", type: "float32", shape: [1, width, "frames"] } as const;
  return modelOf({ nodes, weights, inputs: [FEATURES], outputs: [frames] });
}

/** Parts of an ONNX graph, with `features` as its input and `frames` as its output. */
export function frameLayers(components: ReadonlyMap<string, Component>): {
  readonly nodes: readonly Uint8Array[];
  readonly weights: readonly Uint8Array[];
  /** The number of channels of `frames`. */
  readonly width: number;
} {
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
    weights.push(integers(`${name}.pads`, [0, 0, margin, 0, 0, margin]));
    weights.push(tensor(`${name}.weight`, [linear.rows, width, kernel], kernels(linear, width, kernel)));
    weights.push(tensor(`${name}.bias`, [linear.rows], bias.values));
    weights.push(tensor(`${name}.scale`, [1, linear.rows, 1], scale));
    weights.push(tensor(`${name}.shift`, [1, linear.rows, 1], shift));
    const steps = ["padded", "affine", "relu", "scaled", "out"].map((step) => `${name}.${step}`);
    const [padded = "", affined = "", rectified = "", scaled = "", out = ""] = steps;
    nodes.push(node("Pad", [value, `${name}.pads`], padded, textAttribute("mode", "edge")));
    nodes.push(
      node("Conv", [padded, `${name}.weight`, `${name}.bias`], affined, writeAttribute("dilations", [dilation])),
    );
    nodes.push(node("Relu", [affined], rectified));
    nodes.push(node("Mul", [rectified, `${name}.scale`], scaled));
    nodes.push(node("Add", [scaled, `${name}.shift`], out));
    value = out;
    width = linear.rows;
  }
  nodes.push(node("Identity", [value], "frames"));
  return { nodes, weights, width };
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
