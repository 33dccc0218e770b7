import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { BYTE, FLOAT, input, integers, modelOf, node, numbers, output, scalar } from "../../testing/small-model.ts";
import { fuseNodes } from "./fuse.ts";
import { writeAttribute } from "./graph.ts";
import { numberField, readFields } from "./protobuf.ts";
import { normalizeRows } from "./row-patterns.ts";

type Feeds = Readonly<Record<string, Tensor>>;

async function run(model: Uint8Array, feeds: Feeds): Promise<Record<string, number[]>> {
  const session = await InferenceSession.create(model, { logSeverityLevel: 3, intraOpNumThreads: 1 });
  const results = await session.run(feeds);
  await session.release();
  return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, [...(data as Float32Array)]]));
}

/** The operators of a model, in order. */
function operators(model: Uint8Array): string[] {
  const graph = [...readFields(model)].find(({ number }) => number === 7);
  const nodes = [...readFields(graph?.bytes ?? new Uint8Array(0))].filter(({ number }) => number === 1);
  return nodes.map(({ bytes }) => {
    const type = [...readFields(bytes)].find(({ number }) => number === 4);
    return Buffer.from(type?.bytes ?? []).toString();
  });
}

const wave = (count: number, shape: number[], step: number) =>
  new Tensor(
    "float32",
    Float32Array.from({ length: count }, (_, i) => 0.1 * Math.sin(i * step)),
    shape,
  );

/**
 * Where a value lies between two steps of eight bits, its last bit decides, so not each number is the same. The attention of later
 * layers amplifies such a difference more than the student does: weights of the norms that differ by one part in 100 000 or in 1000
 * change 0.5 to 0.9 % of the energy. Nodes that are joined wrongly change most of it.
 */
const networks: Readonly<Record<string, { readonly feeds: Feeds; readonly tolerance: number }>> = {
  "kokoro-student/student": {
    feeds: { features: wave(55 * 644, [1, 55, 644], 0.37), condition: wave(1156, [1, 1156], 0.11) },
    tolerance: 1e-3,
  },
  "kokoro-reader/bert": {
    feeds: {
      input_ids: new Tensor(
        "int64",
        BigInt64Array.from({ length: 12 }, (_, i) => BigInt(40 + 3 * i)),
        [1, 12],
      ),
    },
    tolerance: 2e-2,
  },
};

for (const [name, { feeds, tolerance }] of Object.entries(networks)) {
  test(`${name} gives the same with its nodes joined`, async () => {
    const original = await readFile(new URL(`../../../assets/${name}.onnx`, import.meta.url));
    const fused = fuseNodes(original);
    assert.ok(operators(original).includes("Tanh"));
    assert.ok(!operators(fused).includes("Tanh"));
    assert.ok(operators(fused).length <= operators(original).length - 40);
    const [expected, found] = [await run(original, feeds), await run(fused, feeds)];
    for (const [output, values] of Object.entries(expected)) {
      const energy = (numbers: number[]) => numbers.reduce((sum, value) => sum + value * value, 0);
      const apart = energy(values.map((value, i) => value - (found[output]?.[i] ?? 0)));
      assert.ok(apart < tolerance * energy(values), `${output} differs by ${apart / energy(values)} of its energy`);
    }
  });
}

/** GELU as PyTorch writes it, with the factor of its last node. */
function geluModel(factor: number, outputs: readonly string[]): Uint8Array {
  return modelOf([
    node("Mul", ["x", "x"], ["square"]),
    node("Mul", ["x", "square"], ["cube"]),
    node("Mul", ["a", "cube"], ["small"]),
    node("Add", ["x", "small"], ["sum"]),
    node("Mul", ["b", "sum"], ["angle"]),
    node("Tanh", ["angle"], ["tanh"]),
    node("Add", ["one", "tanh"], ["share"]),
    node("Mul", ["x", "share"], ["twice"]),
    node("Mul", ["factor", "twice"], ["y"]),
    scalar("a", 0.044715),
    scalar("b", Math.sqrt(2 / Math.PI)),
    scalar("one", 1),
    scalar("factor", factor),
    input("x", FLOAT, [3]),
    ...outputs.map((name) => output(name, FLOAT, [3])),
  ]);
}

test("GELU becomes one node that gives the same", async () => {
  const model = geluModel(0.5, ["y"]);
  const fused = fuseNodes(model);
  assert.deepEqual(operators(fused), ["FastGelu"]);
  const feeds = { x: new Tensor("float32", [-2, 0.3, 4], [3]) };
  const [{ y: expected = [] }, { y: found = [] }] = [await run(model, feeds), await run(fused, feeds)];
  assert.equal(found.length, 3);
  for (const [i, value] of expected.entries()) assert.ok(Math.abs(value - (found[i] ?? 0)) < 1e-6);
});

test("nodes with another factor, or with a value that is needed elsewhere, stay", () => {
  for (const model of [geluModel(0.6, ["y"]), geluModel(0.5, ["y", "tanh"])]) {
    assert.deepEqual(operators(fuseNodes(model)), operators(model));
  }
});

const rows = { x: new Tensor("float32", [0.5, -2, 3, 1, -1, 4, 2, 2.5, 0, -0.25, 7, 1], [1, 3, 4]) };

test("the normalization of rows gives the same", async () => {
  const model = modelOf([
    node("LayerNormalization", ["x", "weight", "bias"], ["y"], [writeAttribute("axis", -1)]),
    numbers("weight", Float32Array.of(1, -2, 0.5, 3)),
    numbers("bias", Float32Array.of(0, 1, -1, 0.25)),
    input("x", FLOAT, [1, 3, 4]),
    output("y", FLOAT, [1, 3, 4]),
  ]);
  const fused = fuseNodes(model, [normalizeRows]);
  assert.ok(!operators(fused).includes("LayerNormalization"));
  const [{ y: expected = [] }, { y: found = [] }] = [await run(model, rows), await run(fused, rows)];
  assert.equal(found.length, 12);
  for (const [i, value] of expected.entries()) assert.ok(Math.abs(value - (found[i] ?? 0)) < 1e-5);
});

/** The row before each row and the row itself, in 8 bits. */
const tapsModel = (outputs: readonly string[], padding = 0) =>
  modelOf([
    node("Pad", ["x", "margins", "padding"], ["padded"]),
    scalar("padding", padding),
    node("Slice", ["padded", "zero", "minus", "axis"], ["before"]),
    node("Slice", ["padded", "axis", "end", "axis"], ["here"]),
    node("Concat", ["before", "here"], ["taps"], [writeAttribute("axis", 2)]),
    node("DynamicQuantizeLinear", ["taps"], ["coarse", "scale", "middle"]),
    ...[integers("margins", 0, 1, 0, 0, 0, 0), integers("zero", 0), integers("minus", -1)],
    ...[integers("axis", 1), integers("end", 99)],
    input("x", FLOAT, [1, 3, 4]),
    ...[output("coarse", BYTE, [1, 3, 8]), output("scale", FLOAT, []), output("middle", BYTE, [])],
    ...outputs.map((name) => output(name, FLOAT, [1, 4, 4])),
  ]);

test("values are rounded before they are put side by side, with the same result", async () => {
  const model = tapsModel([]);
  const fused = fuseNodes(model);
  assert.deepEqual(operators(fused), ["DynamicQuantizeLinear", "Pad", "Slice", "Slice", "Concat"]);
  assert.deepEqual(await run(fused, rows), await run(model, rows));
});

test("values that are needed elsewhere, or have another number around them, are rounded where they were", () => {
  for (const model of [tapsModel(["padded"]), tapsModel([], 0.5)])
    assert.deepEqual(operators(fuseNodes(model)), operators(model));
});

test("the pitch predictors give the same numbers with values that are rounded first", async () => {
  const original = await readFile(new URL("../../../assets/kokoro-reader/pitch.onnx", import.meta.url));
  const feeds = { shared: wave(40 * 512, [1, 40, 512], 0.37), style: wave(256, [1, 256], 0.11) };
  const fused = fuseNodes(original);
  assert.notDeepEqual(operators(fused), operators(original));
  assert.deepEqual(await run(fused, feeds), await run(original, feeds));
});

test("a file that is no model is refused", () => {
  assert.throws(() => fuseNodes(numberField(1, 8)), /no graph/);
});
