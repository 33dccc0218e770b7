import { concatBytes } from "../../lib/concat.ts";
import { createNodeIndex, type FuseNode, type NodeIndex } from "./node-index.ts";
import { bytesField, type Field, readFields, textField } from "./protobuf.ts";

// Field numbers of onnx.proto.
const MODEL = { graph: 7 };
export const GRAPH = { node: 1, initializer: 5, input: 11, output: 12 };
const NODE = { input: 1, output: 2, type: 4, attribute: 5, domain: 7 };
const TENSOR_NAME = 8;
const VALUE_NAME = 1;

/** The nodes of a model, to be replaced by others. */
export interface ModelNodes {
  readonly nodes: readonly FuseNode[];
  /** The descriptions of its inputs and outputs, by name. */
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  readonly outputs: ReadonlyMap<string, Uint8Array>;
  indexOf(nodes: readonly FuseNode[]): NodeIndex;
  /** The model file with these nodes, and further fields of the graph: weights, inputs, outputs. */
  write(nodes: readonly FuseNode[], added?: readonly Uint8Array[]): Uint8Array;
}

export function readModelNodes(file: Uint8Array): ModelNodes {
  const model = [...readFields(file)];
  const graph = model.find(({ number }) => number === MODEL.graph);
  if (!graph) throw new Error("not an ONNX model: it has no graph");
  const fields = [...readFields(graph.bytes)];
  const weights = new Map(
    fields
      .filter(({ number }) => number === GRAPH.initializer)
      .map((field) => [nameIn(field, TENSOR_NAME), field.bytes]),
  );
  const ports = (kind: number) =>
    new Map(
      fields.filter(({ number }) => number === kind).map((field) => [nameIn(field, VALUE_NAME), field.bytes] as const),
    );
  const outputs = ports(GRAPH.output);
  return {
    nodes: fields.filter(({ number }) => number === GRAPH.node).map(readNode),
    inputs: ports(GRAPH.input),
    outputs,
    indexOf: (nodes) => createNodeIndex(nodes, weights, new Set(outputs.keys())),
    write(nodes, added = []) {
      const rest = fields.filter(({ number }) => number !== GRAPH.node).map(({ raw }) => raw);
      const others = model.filter((field) => field !== graph).map(({ raw }) => raw);
      return concatBytes([...others, bytesField(MODEL.graph, [...nodes.map(writeNode), ...rest, ...added])]);
    },
  };
}

/** The description of an input or output with the type and shape of another one. */
export function renamedPort(description: Uint8Array, name: string): Uint8Array[] {
  const rest = [...readFields(description)].filter(({ number }) => number !== VALUE_NAME);
  return [textField(VALUE_NAME, name), ...rest.map(({ raw }) => raw)];
}

function readNode(field: Field): FuseNode {
  const parts = [...readFields(field.bytes)];
  const texts = (number: number) => parts.filter((part) => part.number === number).map(text);
  return {
    type: texts(NODE.type)[0] ?? "",
    domain: texts(NODE.domain)[0] ?? "",
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    attributes: parts.filter((part) => part.number === NODE.attribute).map(({ raw }) => raw),
  };
}

function writeNode({ type, domain, inputs, outputs, attributes }: FuseNode): Uint8Array {
  return bytesField(GRAPH.node, [
    ...inputs.map((name) => textField(NODE.input, name)),
    ...outputs.map((name) => textField(NODE.output, name)),
    textField(NODE.type, type),
    ...attributes,
    textField(NODE.domain, domain),
  ]);
}

function nameIn(field: Field, nameField: number): string {
  const name = [...readFields(field.bytes)].find(({ number }) => number === nameField);
  return name ? text(name) : "";
}

const text = ({ bytes }: Field): string => Buffer.from(bytes).toString();
