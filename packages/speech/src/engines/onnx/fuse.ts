import { concatBytes } from "../../lib/concat.ts";
import { fuseBias, fuseGelu, fuseModulation, fuseScale, type Pattern } from "./fuse-patterns.ts";
import { createNodeIndex, type FuseNode, type NodeIndex } from "./node-index.ts";
import { bytesField, type Field, readFields, textField } from "./protobuf.ts";

// Field numbers of onnx.proto.
const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5, output: 12 };
const NODE = { input: 1, output: 2, type: 4, attribute: 5, domain: 7 };
const TENSOR_NAME = 8;
const VALUE_NAME = 1;

/** In this order: a scale is only joined to a product that has its bias. */
const patterns: readonly Pattern[] = [fuseBias, fuseScale, fuseModulation, fuseGelu];

/**
 * Replaces groups of nodes that onnxruntime does not join by itself with one node each: every node is a pass over all
 * values, and these passes take as long as the products of matrices between them. A model without such groups stays as it is.
 * The operators belong to onnxruntime's own set, which the model has to import.
 */
export function fuseNodes(file: Uint8Array): Uint8Array {
  const model = [...readFields(file)];
  const graph = model.find(({ number }) => number === MODEL.graph);
  if (!graph) throw new Error("not an ONNX model: it has no graph");
  const fields = [...readFields(graph.bytes)];
  const weights = new Map(
    fields
      .filter(({ number }) => number === GRAPH.initializer)
      .map((field) => [nameIn(field, TENSOR_NAME), field.bytes]),
  );
  const results = new Set(
    fields.filter(({ number }) => number === GRAPH.output).map((field) => nameIn(field, VALUE_NAME)),
  );
  let nodes: readonly FuseNode[] = fields.filter(({ number }) => number === GRAPH.node).map(readNode);
  for (const pattern of patterns) nodes = replaced(nodes, pattern, createNodeIndex(nodes, weights, results));
  const rest = fields.filter(({ number }) => number !== GRAPH.node).map(({ raw }) => raw);
  const others = model.filter((field) => field !== graph).map(({ raw }) => raw);
  return concatBytes([...others, bytesField(MODEL.graph, [...nodes.map(writeNode), ...rest])]);
}

/** The new nodes take the place of the last node of their group, so the order stays topological. */
function replaced(nodes: readonly FuseNode[], pattern: Pattern, index: NodeIndex): readonly FuseNode[] {
  const removed = new Set<FuseNode>();
  const added = new Map<FuseNode, readonly FuseNode[]>();
  for (const node of nodes) {
    const match = pattern(node, index);
    if (!match) continue;
    for (const old of match.old) removed.add(old);
    const last = match.old.at(-1);
    if (last) added.set(last, match.new);
  }
  return nodes.flatMap((node) => added.get(node) ?? (removed.has(node) ? [] : [node]));
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
