import { type Field, readFields, signedValue } from "./protobuf.ts";

// Field numbers of onnx.proto.
const ATTRIBUTE = { tensor: 5 };
const TENSOR = { size: 1, dataType: 2, floats: 4, raw: 9 };
const FLOAT32 = 1;
const INT64 = 7;

/** A node of a model, with its attributes as they are in the file. */
export interface FuseNode {
  readonly type: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: readonly Uint8Array[];
}

/** Finds nodes by the values that they compute and use. */
export interface NodeIndex {
  /** The node that computes a value. */
  producer(name: string): FuseNode | undefined;
  /** The one node that uses a value; undefined when there are others, or when it is a result of the model. */
  onlyUser(name: string): FuseNode | undefined;
  /** Whether no other node uses a value, and it is no result of the model. */
  isUsedOnlyBy(name: string, nodes: readonly FuseNode[]): boolean;
  /** Whether a value is a weight, or a weight in another format. */
  isWeight(name: string): boolean;
  /** Whether a value is a constant whose numbers all are `expected`, rounded to float32. */
  isConstant(name: string, expected: number): boolean;
  /** The numbers of a constant list of whole numbers; undefined for other values. */
  integers(name: string): readonly number[] | undefined;
  /** The shape of a constant or weight, also of one in another format; undefined for other values. */
  constantShape(name: string): readonly number[] | undefined;
}

/** `results`: the values that the model returns. */
export function createNodeIndex(
  nodes: readonly FuseNode[],
  weights: ReadonlyMap<string, Uint8Array>,
  results: ReadonlySet<string>,
): NodeIndex {
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const users = new Map<string, FuseNode[]>();
  for (const node of nodes) {
    for (const input of new Set(node.inputs)) users.set(input, [...(users.get(input) ?? []), node]);
  }
  const isWeight = (name: string): boolean => {
    const source = producers.get(name);
    return weights.has(name) || (source?.type === "Cast" && weights.has(source.inputs[0] ?? ""));
  };
  const tensorOf = (name: string): Uint8Array | undefined => {
    const constant = producers.get(name);
    const [attribute] = constant?.type === "Constant" ? constant.attributes : [];
    return attribute ? tensorIn(attribute) : weights.get(name);
  };
  return {
    producer: (name) => producers.get(name),
    onlyUser: (name) => {
      const all = users.get(name) ?? [];
      return all.length === 1 && !results.has(name) ? all[0] : undefined;
    },
    isUsedOnlyBy: (name, nodes) => !results.has(name) && (users.get(name) ?? []).every((user) => nodes.includes(user)),
    isWeight,
    isConstant(name, expected) {
      const tensor = tensorOf(name);
      const values = tensor ? floatsIn(tensor) : undefined;
      return values !== undefined && values.length > 0 && values.every((value) => value === Math.fround(expected));
    },
    integers(name) {
      const tensor = tensorOf(name);
      return tensor ? integersIn(tensor) : undefined;
    },
    constantShape(name) {
      const source = producers.get(name);
      const tensor = tensorOf(source?.type === "Cast" ? (source.inputs[0] ?? "") : name);
      return tensor ? sizesIn(tensor) : undefined;
    },
  };
}

function tensorIn(attribute: Uint8Array): Uint8Array | undefined {
  const [field] = readFields(attribute);
  const parts = field ? [...readFields(field.bytes)] : [];
  return parts.find((part) => part.number === ATTRIBUTE.tensor && part.wireType === 2)?.bytes;
}

function typeIn(parts: readonly Field[]): number | undefined {
  return parts.find(({ number }) => number === TENSOR.dataType)?.value;
}

function sizesIn(tensor: Uint8Array): number[] {
  return [...readFields(tensor)].filter(({ number }) => number === TENSOR.size).map(signedValue);
}

/** The numbers of an int64 tensor. */
function integersIn(tensor: Uint8Array): number[] | undefined {
  const parts = [...readFields(tensor)];
  const data = parts.find(({ number }) => number === TENSOR.raw);
  if (typeIn(parts) !== INT64 || !data) return undefined;
  return Array.from(new BigInt64Array(new Uint8Array(data.bytes).buffer), Number);
}

/** The numbers of a float32 tensor. */
function floatsIn(tensor: Uint8Array): Float32Array | undefined {
  const parts = [...readFields(tensor)];
  const type = typeIn(parts);
  const data = parts.find(({ number }) => number === TENSOR.raw || number === TENSOR.floats);
  // A copy, because the view may start anywhere and floats must be aligned.
  return type === FLOAT32 && data ? new Float32Array(new Uint8Array(data.bytes).buffer) : undefined;
}
