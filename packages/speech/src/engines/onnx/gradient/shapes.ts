import type { ModelNodes } from "../model-nodes.ts";
import type { FuseNode, NodeIndex } from "../node-index.ts";
import { readFields, signedValue } from "../protobuf.ts";
import { type Attributes, readAttributes } from "./attributes.ts";

/** The lengths of a value along its axes. Lengths of the same name are the same. */
export type Shape = readonly (number | string)[];

/** The shapes of values, as far as they are known before the model runs. */
export type Shapes = ReadonlyMap<string, Shape>;

interface Call {
  readonly node: FuseNode;
  readonly attributes: Attributes;
  readonly index: NodeIndex;
  /** The shape of an input. */
  of(input: number): Shape | undefined;
  /** A length that is known only when the model runs. */
  unknown(): string;
}

type ShapeRule = (call: Call) => Shape | undefined;

/** Operators that are not in the table have outputs of an unknown shape. */
export function inferShapes(model: ModelNodes, index: NodeIndex): Shapes {
  const shapes = new Map<string, Shape>();
  for (const [name, description] of model.inputs) {
    const shape = shapeIn(description, name);
    if (shape) shapes.set(name, shape);
  }
  let count = 0;
  const unknown = () => `?${count++}`;
  for (const node of model.nodes) {
    const output = node.outputs[0] ?? "";
    const of = (input: number) => {
      const name = node.inputs[input] ?? "";
      return shapes.get(name) ?? index.constantShape(name);
    };
    const call = { node, attributes: readAttributes(node.attributes), index, of, unknown };
    const shape = index.constantShape(output) ?? rules[node.type]?.(call);
    if (shape) shapes.set(output, shape);
  }
  return shapes;
}

const same: ShapeRule = ({ of }) => of(0);

const broadcast: ShapeRule = ({ of, unknown }) => {
  const [a, b] = [of(0), of(1)];
  if (!a || !b) return undefined;
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    const [one, two] = [a, b].map((shape) => shape[axis - rank + shape.length] ?? 1);
    if (one === two || two === 1) return one ?? 1;
    if (one === 1) return two ?? 1;
    // Only one of them is a number, above 1: the other is the same, or 1.
    const number = [one, two].find((size) => typeof size === "number");
    return number ?? unknown();
  });
};

const product: ShapeRule = ({ of, attributes }) => {
  const [a, b] = [of(0), of(1)];
  const columns = b?.at(attributes.integer("transB", 0) === 1 ? 0 : -1);
  return a && b?.length === 2 && columns !== undefined ? [...a.slice(0, -1), columns] : undefined;
};

const rules: Readonly<Record<string, ShapeRule>> = {
  ...Object.fromEntries(
    ["Identity", "Cast", "Relu", "Clip", "Tanh", "Exp", "Sqrt", "Sin", "Cos"].map((type) => [type, same]),
  ),
  ...Object.fromEntries(["Softmax", "BatchNormalization", "LayerNormalization"].map((type) => [type, same])),
  ...Object.fromEntries(["Add", "Sub", "Mul", "Div"].map((type) => [type, broadcast])),
  ...Object.fromEntries(["Gemm", "MatMul", "MatMulIntegerToFloat"].map((type) => [type, product])),
  QuantizeLinear: same,
  FastGelu: same,
  Concat: ({ of, attributes, unknown }) => of(0)?.with(attributes.integer("axis", 0), unknown()),
  Conv: ({ of, unknown }) => {
    const [value, weights] = [of(0), of(1)];
    const [batch, channels] = [value?.[0], weights?.[0]];
    if (!value || batch === undefined || channels === undefined) return undefined;
    return [batch, channels, ...value.slice(2).map(unknown)];
  },
  Transpose: ({ of, attributes }) => {
    const shape = of(0);
    return shape && attributes.integers("perm")?.map((axis) => shape[axis] ?? 1);
  },
  Unsqueeze: ({ of, node, index }) => {
    const [shape, axes] = [of(0), index.integers(node.inputs[1] ?? "")];
    if (!shape || axes?.length !== 1 || axes[0] === undefined) return undefined;
    return shape.toSpliced(axes[0] < 0 ? shape.length + 1 + axes[0] : axes[0], 0, 1);
  },
  Slice: ({ of, node, index, unknown }) => {
    const [shape, axes] = [of(0), index.integers(node.inputs[3] ?? "")];
    if (!shape || axes?.length !== 1 || axes[0] === undefined) return undefined;
    return shape.with(axes[0], unknown());
  },
};

// Field numbers of onnx.proto: of the description of an input, its type, the shape, and one of its lengths.
const VALUE_TYPE = 2;
const TENSOR_TYPE = 1;
const TENSOR_SHAPE = 2;
const LENGTH = 1;
const SIZE = { number: 1, name: 2 };

function shapeIn(description: Uint8Array, input: string): Shape | undefined {
  let bytes: Uint8Array | undefined = description;
  for (const number of [VALUE_TYPE, TENSOR_TYPE, TENSOR_SHAPE]) {
    bytes = bytes && [...readFields(bytes)].find((field) => field.number === number)?.bytes;
  }
  if (!bytes) return undefined;
  const lengths = [...readFields(bytes)].filter(({ number }) => number === LENGTH);
  return lengths.map((length, axis) => {
    const [size] = readFields(length.bytes);
    if (size?.number === SIZE.number) return signedValue(size);
    return size?.number === SIZE.name ? Buffer.from(size.bytes).toString() : `${input}.${axis}`;
  });
}
