import assert from "node:assert/strict";
import { test } from "node:test";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { concatBytes } from "../../lib/concat.ts";
import { parseGraph } from "./graph.ts";
import { bytesField, numberField, readFields, textField } from "./protobuf.ts";

/** y = (x + w) × w, as a minimal model. */
function smallModel(): Uint8Array {
  const node = (type: string, inputs: string[], output: string) =>
    bytesField(1, [...inputs.map((name) => textField(1, name)), textField(2, output), textField(4, type)]);
  const weight = new Float32Array([1, 2, 3]);
  const initializer = bytesField(5, [
    numberField(1, 3),
    numberField(2, 1),
    textField(8, "w"),
    bytesField(9, [new Uint8Array(weight.buffer)]),
  ]);
  const port = (field: number, name: string) => {
    const type = [numberField(1, 1), bytesField(2, [bytesField(1, [numberField(1, 3)])])];
    return bytesField(field, [textField(1, name), bytesField(2, [bytesField(1, type)])]);
  };
  const graph = bytesField(7, [
    node("Add", ["x", "w"], "sum"),
    node("Mul", ["sum", "w"], "y"),
    textField(2, "small"),
    initializer,
    port(11, "x"),
    port(12, "y"),
  ]);
  return concatBytes([numberField(1, 8), graph, bytesField(8, [textField(1, ""), numberField(2, 17)])]);
}

const port = (name: string) => ({ name, type: "float32", shape: [3] }) as const;

async function run(model: Uint8Array, input: string, output: string, values: number[]): Promise<number[]> {
  const session = await InferenceSession.create(model);
  const result = await session.run({ [input]: new Tensor("float32", values, [3]) });
  await session.release();
  return Array.from((result[output]?.data ?? []) as Float32Array);
}

test("two consecutive stages give the output of the whole model", async () => {
  const graph = parseGraph(smallModel());
  const first = await run(graph.cut([port("x")], [port("sum")]), "x", "sum", [1, 1, 1]);
  assert.deepEqual(first, [2, 3, 4]);
  const second = await run(graph.cut([port("sum")], [port("y")]), "sum", "y", first);
  assert.deepEqual(second, await run(smallModel(), "x", "y", [1, 1, 1]));
});

test("a stage holds only what it needs", () => {
  const graph = parseGraph(smallModel());
  const stage = Buffer.from(graph.cut([port("x")], [port("sum")])).toString("latin1");
  assert.ok(stage.includes("Add"));
  assert.ok(!stage.includes("Mul"));
});

test("weights can be read", () => {
  assert.deepEqual([...parseGraph(smallModel()).weights("w")], [1, 2, 3]);
  assert.throws(() => parseGraph(smallModel()).weights("none"), /"none"/);
});

test("a stage with a missing input is refused and names it", () => {
  assert.throws(() => parseGraph(smallModel()).cut([], [port("y")]), /"x"/);
});

test("a node that the model does not have can be added to a stage", async () => {
  const twice = { type: "Add", inputs: ["sum", "sum"], outputs: ["twice"] };
  const stage = parseGraph(smallModel()).cut([port("x")], [port("twice")], [twice]);
  assert.deepEqual(await run(stage, "x", "twice", [1, 1, 1]), [4, 6, 8]);
});

test("added nodes take the place of the one that computes the same value", async () => {
  const added = [
    { type: "Constant", inputs: [], outputs: ["ends"], attributes: { value_ints: [-1] } },
    { type: "Constant", inputs: [], outputs: ["starts"], attributes: { value_ints: [-2] } },
    { type: "Slice", inputs: ["x", "starts", "ends"], outputs: ["sum"] },
  ];
  const stage = parseGraph(smallModel()).cut([port("x")], [port("y")], added);
  // The one before the last value, in place of the sum.
  assert.deepEqual(await run(stage, "x", "y", [5, 6, 7]), [6, 12, 18]);
  const circular = [{ type: "Neg", inputs: ["y"], outputs: ["sum"] }];
  assert.throws(() => parseGraph(smallModel()).cut([port("x")], [port("y")], circular), /depend on each other/);
});

/** y = condition ? x + w : x × w. */
function branchedModel(): Uint8Array {
  const branch = (name: string, type: string) =>
    bytesField(5, [
      textField(1, name),
      bytesField(6, [
        bytesField(1, [textField(1, "x"), textField(1, "w"), textField(2, `${name}_result`), textField(4, type)]),
      ]),
    ]);
  const choice = bytesField(1, [
    textField(1, "condition"),
    textField(2, "y"),
    textField(4, "If"),
    branch("then_branch", "Add"),
    branch("else_branch", "Mul"),
  ]);
  const model = [...readFields(smallModel())];
  const graph = model.find((field) => field.number === 7);
  const weights = [...readFields(graph?.bytes ?? new Uint8Array(0))].filter((field) => field.number === 5);
  return concatBytes([
    ...model.filter((field) => field !== graph).map((field) => field.raw),
    bytesField(7, [choice, ...weights.map((field) => field.raw)]),
  ]);
}

test("each branch of a choice can be cut out, with the weights around it", async () => {
  const graph = parseGraph(branchedModel());
  const then = graph.branch("then_branch").cut([port("x")], [port("then_branch_result")]);
  const otherwise = graph.branch("else_branch").cut([port("x")], [port("else_branch_result")]);
  assert.deepEqual(await run(then, "x", "then_branch_result", [1, 1, 1]), [2, 3, 4]);
  assert.deepEqual(await run(otherwise, "x", "else_branch_result", [2, 2, 2]), [2, 4, 6]);
  assert.throws(() => parseGraph(smallModel()).branch("then_branch"), /"then_branch"/);
});

test("a damaged file is refused, not read past its end", () => {
  const model = smallModel();
  assert.throws(() => parseGraph(model.subarray(0, model.length - 40)), /damaged|no graph/);
  assert.throws(() => [...readFields(Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f))], /damaged/);
  assert.throws(() => parseGraph(new Uint8Array(0)), /no graph/);
});
