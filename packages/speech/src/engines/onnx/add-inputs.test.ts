import assert from "node:assert/strict";
import { test } from "node:test";
import { FLOAT, input, modelOf, node, output, scalar } from "../../testing/small-model.ts";
import { floats, floatsOf, openSession } from "../session.ts";
import { addInputs } from "./add-inputs.ts";

/** y = 2 tanh x, and its half. */
const model = modelOf([
  node("Tanh", ["x"], ["half"]),
  node("Mul", ["half", "two"], ["y"]),
  scalar("two", 2),
  input("x", FLOAT, [2]),
  output("y", FLOAT, [2]),
  output("half", FLOAT, [2]),
]);
const more = { name: "more", type: "float32", shape: [2] } as const;

test("an input is added to a value, for all that use it", { timeout: 30_000 }, async () => {
  const session = await openSession(addInputs(model, [{ value: "half", input: more }]), 1);
  const zeros = floats(new Float32Array(2), 2);
  const results = await session.run({ x: zeros, more: floats(Float32Array.of(1, -3), 2) });
  assert.deepEqual([...floatsOf(results, "half")], [1, -3]);
  assert.deepEqual([...floatsOf(results, "y")], [2, -6]);
  await session.release();
});

test("a value that no node computes is refused", { timeout: 30_000 }, () => {
  assert.throws(() => addInputs(model, [{ value: "x", input: more }]), /"x"/);
});
