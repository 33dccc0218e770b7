import { bytesField, concat, type Field, numberField, readFields, textField } from "./protobuf.ts";

/**
 * Cuts a model into stages: a stage is the nodes that lead from its inputs to its outputs. Any named value inside the
 * model may become an input or an output, which is how speech is streamed out of the middle of a graph.
 */
export interface Graph {
  /** The stage that computes `outputs` from `inputs`, as a model file of its own. */
  cut(inputs: readonly TensorPort[], outputs: readonly TensorPort[]): Uint8Array;
  /** The numbers of a float32 weight. */
  weights(name: string): Float32Array;
}

export interface TensorPort {
  readonly name: string;
  readonly type: "float32" | "int64";
  /** Names stand for lengths that vary. */
  readonly shape: readonly (number | string)[];
}

interface Node {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly raw: Uint8Array;
}

// Field numbers of onnx.proto.
const MODEL = { graph: 7 };
const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 };
const NODE = { input: 1, output: 2, attribute: 5 };
const ATTRIBUTE = { graph: 6 };
const TENSOR = { name: 8, dataType: 2, floats: 4, raw: 9 };
const elementTypes = { float32: 1, int64: 7 };

export function parseGraph(file: Uint8Array): Graph {
  const model = [...readFields(file)];
  const graphField = model.find((field) => field.number === MODEL.graph);
  if (!graphField) throw new Error("not an ONNX model: it holds no graph");
  const fields = [...readFields(graphField.bytes)];
  const nodes = fields.filter((field) => field.number === GRAPH.node).map(readNode);
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const initializers = new Map(
    fields.filter((field) => field.number === GRAPH.initializer).map((field) => [tensorName(field), field] as const),
  );

  return {
    cut(inputs, outputs) {
      const given = new Set(inputs.map((port) => port.name));
      const kept = new Set<Node>();
      const weights = new Set<string>();
      const wanted = outputs.map((port) => port.name);
      for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
        if (given.has(name) || name === "") continue;
        const producer = producers.get(name);
        if (producer) {
          if (!kept.has(producer)) wanted.push(...producer.inputs);
          kept.add(producer);
        } else if (initializers.has(name)) weights.add(name);
        else throw new Error(`cannot cut the model here: nothing gives "${name}"`);
      }
      const graph = bytesField(MODEL.graph, [
        // The file's order is a topological one: keep it.
        ...nodes.filter((node) => kept.has(node)).map((node) => node.raw),
        textField(GRAPH.name, "stage"),
        ...[...weights].map((name) => initializers.get(name)?.raw ?? new Uint8Array(0)),
        ...inputs.map((port) => bytesField(GRAPH.input, valueInfo(port))),
        ...outputs.map((port) => bytesField(GRAPH.output, valueInfo(port))),
      ]);
      return concat([...model.filter((field) => field !== graphField).map((field) => field.raw), graph]);
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

/** Branches and loops reach out of their own graph: what they use of the outer one is an input, too. */
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

function tensorName(field: Field): string {
  for (const part of readFields(field.bytes)) if (part.number === TENSOR.name) return text(part);
  return "";
}

function text(field: Field | undefined): string {
  return field ? Buffer.from(field.bytes.buffer, field.bytes.byteOffset, field.bytes.length).toString() : "";
}

function valueInfo(port: TensorPort): Uint8Array[] {
  const dimensions = port.shape.map((size) =>
    bytesField(1, [typeof size === "number" ? numberField(1, size) : textField(2, size)]),
  );
  const tensorType = [numberField(1, elementTypes[port.type]), bytesField(2, dimensions)];
  return [textField(1, port.name), bytesField(2, [bytesField(1, tensorType)])];
}
