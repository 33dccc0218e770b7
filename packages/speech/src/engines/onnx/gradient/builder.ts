import { integersTensor, writeAttribute } from "../graph.ts";
import { GRAPH } from "../model-nodes.ts";
import type { FuseNode } from "../node-index.ts";
import { bytesField, numberField, textField } from "../protobuf.ts";

type NewAttributes = Readonly<Record<string, number | readonly number[]>>;

/** Collects the nodes and constants that are added to a model. Values that they compute have names of their own. */
export interface Builder {
  readonly nodes: readonly FuseNode[];
  /** The constants, as fields of the graph. */
  readonly constants: readonly Uint8Array[];
  /** Returns the name of the node's output. `kept`: attributes as they are in a file. */
  add(type: string, inputs: readonly string[], attributes?: NewAttributes, kept?: readonly Uint8Array[]): string;
  /** The same for a node with several outputs. */
  addSeveral(count: number, ...node: Parameters<Builder["add"]>): readonly string[];
  /** A node with an output of this name. */
  addNamed(output: string, type: string, inputs: readonly string[]): void;
  number(value: number): string;
  byte(value: number): string;
  integers(...values: readonly number[]): string;
}

/** Before the names of all values that are added. */
const PREFIX = "gradient/";

// Field numbers of onnx.proto.
const TENSOR = { dataType: 2, name: 8, raw: 9 };
const FLOAT32 = 1;
const UINT8 = 2;

/** Operators of onnxruntime's own set. */
const own: ReadonlySet<string> = new Set(["MatMulIntegerToFloat"]);

export function createBuilder(): Builder {
  const nodes: FuseNode[] = [];
  const constants = new Map<string, Uint8Array>();
  const addSeveral: Builder["addSeveral"] = (count, type, inputs, attributes = {}, kept = []) => {
    const outputs = Array.from({ length: count }, (_, i) => `${PREFIX}${type}-${nodes.length}-${i}`);
    const written = Object.entries(attributes).map(([name, value]) => writeAttribute(name, value));
    const domain = own.has(type) ? "com.microsoft" : "";
    nodes.push({ type, domain, inputs, outputs, attributes: [...kept, ...written] });
    return outputs;
  };
  const constant = (name: string, tensor: () => readonly Uint8Array[]): string => {
    if (!constants.has(name)) constants.set(name, bytesField(GRAPH.initializer, tensor()));
    return name;
  };
  const scalar = (part: string, type: number, value: Float32Array | Uint8Array): string => {
    const name = `${PREFIX}${part}`;
    return constant(name, () => [
      numberField(TENSOR.dataType, type),
      textField(TENSOR.name, name),
      bytesField(TENSOR.raw, [new Uint8Array(value.buffer)]),
    ]);
  };
  return {
    nodes,
    get constants() {
      return [...constants.values()];
    },
    add(type, inputs, attributes, kept) {
      const [output = ""] = addSeveral(1, type, inputs, attributes, kept);
      return output;
    },
    addSeveral,
    addNamed(output, type, inputs) {
      nodes.push({ type, domain: "", inputs, outputs: [output], attributes: [] });
    },
    number: (value) => scalar(`number-${value}`, FLOAT32, Float32Array.of(value)),
    byte: (value) => scalar(`byte-${value}`, UINT8, Uint8Array.of(value)),
    integers(...values) {
      const name = `${PREFIX}integers-${values.join(",")}`;
      return constant(name, () => integersTensor(name, values));
    },
  };
}
