import { concatBytes } from "../../lib/concat.ts";
import { bytesField, type Field, numberField, readFields, textField } from "./protobuf.ts";

/**
 * Splits a model into stages: a stage consists of the nodes from its inputs to its outputs. Any named value of the model may
 * become an input or an output.
 */
export interface Graph {
  /**
   * The stage that computes `outputs` from `inputs`, as a model file. `added` nodes may use its values, and take the place of
   * nodes that compute the same ones.
   */
  cut(inputs: readonly TensorPort[], outputs: readonly TensorPort[], added?: readonly NewNode[]): Uint8Array;
  /** The graph with this branch in place of its one `If`. */
  branch(name: "then_branch" | "else_branch"): Graph;
  /** The numbers of a float32 weight. */
  weights(name: string): Float32Array;
}

export interface TensorPort {
  readonly name: string;
  readonly type: "float32" | "int64";
  /** Names are dimensions of variable length. */
  readonly shape: readonly (number | string)[];
}

/** A node to add to the model. */
export interface NewNode {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Integer attributes, and lists of integers. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

interface Node {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly raw: Uint8Array;
}

// Field numbers of onnx.proto.
const MODEL = { graph: 7 };
const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 };
const NODE = { input: 1, output: 2, type: 4, attribute: 5 };
const ATTRIBUTE = { name: 1, integer: 3, graph: 6, integers: 8, type: 20 };
const INTEGER_ATTRIBUTE = 2;
const INTEGERS_ATTRIBUTE = 7;
const TENSOR = { size: 1, dataType: 2, floats: 4, name: 8, raw: 9 };
const elementTypes = { float32: 1, int64: 7 };

export function parseGraph(file: Uint8Array): Graph {
  const model = [...readFields(file)];
  const graphField = model.find((field) => field.number === MODEL.graph);
  if (!graphField) throw new Error("not an ONNX model: it has no graph");
  return graphOf(
    [...readFields(graphField.bytes)],
    model.filter((field) => field !== graphField).map((field) => field.raw),
  );
}

/** `rest` is the rest of the model file. */
function graphOf(fields: readonly Field[], rest: readonly Uint8Array[]): Graph {
  const nodeFields = fields.filter((field) => field.number === GRAPH.node);
  const ownNodes = nodeFields.map(readNode);
  const initializers = new Map(
    fields.filter((field) => field.number === GRAPH.initializer).map((field) => [tensorName(field), field] as const),
  );

  return {
    cut(inputs, outputs, added = []) {
      const nodes = [...ownNodes, ...added.map(writeNode)];
      const producers = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
      const given = new Set(inputs.map((port) => port.name));
      const kept = new Set<Node>();
      const weights = new Set<string>();
      const needed = outputs.map((port) => port.name);
      for (let name = needed.pop(); name !== undefined; name = needed.pop()) {
        if (given.has(name) || name === "") continue;
        const producer = producers.get(name);
        if (producer) {
          if (!kept.has(producer)) needed.push(...producer.inputs);
          kept.add(producer);
        } else if (initializers.has(name)) weights.add(name);
        else throw new Error(`cannot split the model here: nothing computes "${name}"`);
      }
      const graph = bytesField(MODEL.graph, [
        ...inOrder(nodes.filter((node) => kept.has(node))).map((node) => node.raw),
        textField(GRAPH.name, "stage"),
        ...[...weights].map((name) => initializers.get(name)?.raw ?? new Uint8Array(0)),
        ...inputs.map((port) => bytesField(GRAPH.input, valueInfo(port))),
        ...outputs.map((port) => bytesField(GRAPH.output, valueInfo(port))),
      ]);
      return concatBytes([...rest, graph]);
    },

    branch(name) {
      const choice = nodeFields.flatMap((field) => {
        const content = branchFields(field, name);
        return content ? [{ field, content }] : [];
      })[0];
      if (!choice) throw new Error(`the model has no branch named "${name}"`);
      return graphOf([...fields.filter((field) => field !== choice.field), ...choice.content], rest);
    },

    weights(name) {
      const initializer = initializers.get(name);
      if (!initializer) throw new Error(`the model has no weight named "${name}"`);
      const tensor = [...readFields(initializer.bytes)];
      const type = tensor.find((field) => field.number === TENSOR.dataType)?.value;
      const data = tensor.find((field) => field.number === TENSOR.raw || field.number === TENSOR.floats);
      if (type !== elementTypes.float32 || !data) throw new Error(`the weight "${name}" is not float32`);
      // A copy, because the view may start anywhere and floats must be aligned.
      return new Float32Array(new Uint8Array(data.bytes).buffer);
    },
  };
}

function readNode(field: Field): Node {
  const inputs: string[] = [];
  const outputs: string[] = [];
  for (const part of readFields(field.bytes)) {
    if (part.number === NODE.input) inputs.push(text(part));
    else if (part.number === NODE.output) outputs.push(text(part));
    else if (part.number === NODE.attribute) inputs.push(...namesInSubgraphs(part));
  }
  return { inputs, outputs, raw: field.raw };
}

function writeNode({ type, inputs, outputs, attributes = {} }: NewNode): Node {
  const raw = bytesField(GRAPH.node, [
    ...inputs.map((name) => textField(NODE.input, name)),
    ...outputs.map((name) => textField(NODE.output, name)),
    textField(NODE.type, type),
    ...Object.entries(attributes).map(([name, value]) => writeAttribute(name, value)),
  ]);
  return { inputs, outputs, raw };
}

/** Each node after those that compute its inputs, otherwise in the given order: that of a file is topological already. */
function inOrder(nodes: readonly Node[]): Node[] {
  const missing = new Set(nodes.flatMap(({ outputs }) => outputs));
  const ordered: Node[] = [];
  for (let waiting = nodes; waiting.length > 0; ) {
    const later: Node[] = [];
    for (const node of waiting) {
      if (node.inputs.some((name) => missing.has(name))) later.push(node);
      else {
        ordered.push(node);
        for (const name of node.outputs) missing.delete(name);
      }
    }
    if (later.length === waiting.length) throw new Error("the nodes of the model depend on each other");
    waiting = later;
  }
  return ordered;
}

export function writeAttribute(name: string, value: number | readonly number[]): Uint8Array {
  return bytesField(NODE.attribute, [
    textField(ATTRIBUTE.name, name),
    ...(typeof value === "number"
      ? [numberField(ATTRIBUTE.integer, value), numberField(ATTRIBUTE.type, INTEGER_ATTRIBUTE)]
      : [
          ...value.map((each) => numberField(ATTRIBUTE.integers, each)),
          numberField(ATTRIBUTE.type, INTEGERS_ATTRIBUTE),
        ]),
  ]);
}

/** The fields of a branch of an `If`; undefined when the node has no such branch. */
function branchFields(node: Field, name: string): Field[] | undefined {
  for (const attribute of readFields(node.bytes)) {
    if (attribute.number !== NODE.attribute) continue;
    const parts = [...readFields(attribute.bytes)];
    const graph = parts.find((part) => part.number === ATTRIBUTE.graph && part.wireType === 2);
    if (graph && text(parts.find((part) => part.number === ATTRIBUTE.name)) === name)
      return [...readFields(graph.bytes)];
  }
  return undefined;
}

/** Values of the outer graph that a branch or loop uses are inputs of its node, too. */
function namesInSubgraphs(attribute: Field): string[] {
  const captured: string[] = [];
  for (const part of readFields(attribute.bytes)) {
    if (part.number !== ATTRIBUTE.graph || part.wireType !== 2) continue;
    const fields = [...readFields(part.bytes)];
    const own = new Set<string>();
    for (const field of fields) {
      if (field.number === GRAPH.initializer) own.add(tensorName(field));
      if (field.number === GRAPH.input) own.add(text([...readFields(field.bytes)][0]));
      if (field.number === GRAPH.node) for (const output of readNode(field).outputs) own.add(output);
    }
    for (const field of fields) {
      const used = field.number === GRAPH.node ? readNode(field).inputs : [];
      captured.push(...used.filter((name) => !own.has(name)));
    }
  }
  return captured;
}

/** A weight that is a list of whole numbers. */
export function integersTensor(name: string, values: readonly number[]): Uint8Array[] {
  return [
    numberField(TENSOR.size, values.length),
    numberField(TENSOR.dataType, elementTypes.int64),
    textField(TENSOR.name, name),
    bytesField(TENSOR.raw, [new Uint8Array(BigInt64Array.from(values, BigInt).buffer)]),
  ];
}

function tensorName(field: Field): string {
  for (const part of readFields(field.bytes)) if (part.number === TENSOR.name) return text(part);
  return "";
}

function text(field: Field | undefined): string {
  return field ? Buffer.from(field.bytes.buffer, field.bytes.byteOffset, field.bytes.length).toString() : "";
}

/** The description of an input or output. */
export function valueInfo(port: TensorPort): Uint8Array[] {
  const dimensions = port.shape.map((size) =>
    bytesField(1, [typeof size === "number" ? numberField(1, size) : textField(2, size)]),
  );
  const tensorType = [numberField(1, elementTypes[port.type]), bytesField(2, dimensions)];
  return [textField(1, port.name), bytesField(2, [bytesField(1, tensorType)])];
}
