import { integersTensor, type TensorPort, valueInfo } from "../../../engines/onnx/graph.ts";
import { bytesField, numberField, textField } from "../../../engines/onnx/protobuf.ts";
import { concatBytes } from "../../../lib/concat.ts";

// Field numbers of onnx.proto.

export interface ModelParts {
  readonly nodes: readonly Uint8Array[];
  readonly weights: readonly Uint8Array[];
  readonly inputs: readonly TensorPort[];
  readonly outputs: readonly TensorPort[];
}

export function modelOf({ nodes, weights, inputs, outputs }: ModelParts): Uint8Array {
  return concatBytes([
    numberField(1, 8),
    bytesField(8, [textField(1, ""), numberField(2, 17)]),
    bytesField(7, [
      ...nodes,
      textField(2, "x-vector"),
      ...weights,
      ...inputs.map((port) => bytesField(11, valueInfo(port))),
      ...outputs.map((port) => bytesField(12, valueInfo(port))),
    ]),
  ]);
}

export function node(type: string, inputs: readonly string[], output: string, attribute?: Uint8Array): Uint8Array {
  const parts = [...inputs.map((name) => textField(1, name)), textField(2, output), textField(4, type)];
  return bytesField(1, attribute ? [...parts, attribute] : parts);
}

export function textAttribute(name: string, value: string): Uint8Array {
  return bytesField(5, [textField(1, name), textField(4, value), numberField(20, 3)]);
}

/** A weight. */
export function tensor(name: string, shape: readonly number[], values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const sizes = shape.map((size) => numberField(1, size));
  return bytesField(5, [...sizes, numberField(2, 1), textField(8, name), bytesField(9, [bytes])]);
}

export function integers(name: string, values: readonly number[]): Uint8Array {
  return bytesField(5, integersTensor(name, values));
}
