import { integersTensor, valueInfo, writeAttribute } from "./graph.ts";
import { GRAPH, readModelNodes } from "./model-nodes.ts";
import type { FuseNode, NodeIndex } from "./node-index.ts";
import { bytesField } from "./protobuf.ts";

/** The input and the output that are added: [convolutions, rows, channels]. Without rows, the model works as before. */
export const CARRIED = { input: "carried_in", output: "carried_out" } as const;

export interface CarriedRows {
  /** Convolutions over time in the model, one after the other. */
  readonly convolutions: number;
  /** Rows that each of them needs in addition to those of its output. */
  readonly rows: number;
  readonly channels: number;
}

const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Lets a network of convolutions without padding continue where it ended: each convolution returns its last rows of input, and
 * puts those of the call before in front of new ones. Without that, every call computes them again, from the first layer on.
 */
export function carryRows(file: Uint8Array, { convolutions, rows, channels }: CarriedRows): Uint8Array {
  const model = readModelNodes(file);
  const index = model.indexOf(model.nodes);
  const inputs = model.nodes.filter(({ type }) => type === "Conv").map((node) => rowsBefore(node, index));
  if (inputs.length !== convolutions) throw new Error(`the model has ${inputs.length} convolutions`);
  const constants = new Map<string, readonly number[]>();
  const constant = (...values: number[]): string => {
    const name = `carried.${values.join(".")}`;
    constants.set(name, values);
    return name;
  };
  const slice = (input: string, from: number, to: number, axis: number, output: string): FuseNode =>
    node("Slice", [input, constant(from), constant(to), constant(axis)], output);

  const added = new Map(
    inputs.map((input, at) => [
      input,
      [
        slice(CARRIED.input, at, at + 1, 0, `${input}.before`),
        node("Concat", [`${input}.before`, input], `${input}.all`, 1),
        slice(`${input}.all`, -rows, LAST, 1, `${input}.after`),
      ],
    ]),
  );
  const nodes = model.nodes.flatMap((each) => [
    { ...each, inputs: each.inputs.map((name) => (added.has(name) ? `${name}.all` : name)) },
    ...each.outputs.flatMap((name) => added.get(name) ?? []),
  ]);
  const after = inputs.map((input) => `${input}.after`);
  const port = (name: string, count: number | string) =>
    valueInfo({ name, type: "float32", shape: [convolutions, count, channels] });
  return model.write(
    [...nodes, node("Concat", after, CARRIED.output, 0)],
    [
      ...[...constants].map(([name, values]) => bytesField(GRAPH.initializer, integersTensor(name, values))),
      bytesField(GRAPH.input, port(CARRIED.input, "carried")),
      bytesField(GRAPH.output, port(CARRIED.output, rows)),
    ],
  );
}

/** What a convolution works on: rows of channels, which are turned into channels of rows for it. */
function rowsBefore(convolution: FuseNode, index: NodeIndex): string {
  const turned = index.producer(convolution.inputs[0] ?? "");
  const rows = turned?.type === "Transpose" ? turned.inputs[0] : undefined;
  if (rows === undefined || !index.producer(rows)) throw new Error("a convolution has no rows before it");
  return rows;
}

function node(type: string, inputs: readonly string[], output: string, axis?: number): FuseNode {
  const attributes = axis === undefined ? [] : [writeAttribute("axis", axis)];
  return { type, domain: "", inputs, outputs: [output], attributes };
}
