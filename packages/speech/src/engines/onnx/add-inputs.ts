import { type TensorPort, valueInfo } from "./graph.ts";
import { GRAPH, readModelNodes } from "./model-nodes.ts";
import { bytesField } from "./protobuf.ts";

/** An input that is added to a value inside the model. */
export interface AddedInput {
  readonly value: string;
  readonly input: TensorPort;
}

/** The model with further inputs, each of which is added to a value that its nodes compute. */
export function addInputs(file: Uint8Array, added: readonly AddedInput[]): Uint8Array {
  const model = readModelNodes(file);
  const index = model.indexOf(model.nodes);
  for (const { value } of added) if (!index.producer(value)) throw new Error(`no node computes "${value}"`);
  const inputs = new Map(added.map(({ value, input }) => [value, input.name]));
  const before = (name: string) => (inputs.has(name) ? `${name}.before` : name);
  const nodes = model.nodes.flatMap((node) => [
    { ...node, outputs: node.outputs.map(before) },
    ...node.outputs.flatMap((name) => {
      const input = inputs.get(name);
      return input === undefined
        ? []
        : [{ type: "Add", domain: "", inputs: [before(name), input], outputs: [name], attributes: [] }];
    }),
  ]);
  return model.write(
    nodes,
    added.map(({ input }) => bytesField(GRAPH.input, valueInfo(input))),
  );
}
