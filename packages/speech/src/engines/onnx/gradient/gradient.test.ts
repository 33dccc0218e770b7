import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FLOAT, input, integers, modelOf, node, numbers, output, scalar } from "../../../testing/small-model.ts";
import { floats, floatsOf, openSession } from "../../session.ts";
import { writeAttribute } from "../graph.ts";
import { bytesField, numberField, textField } from "../protobuf.ts";
import { gradientOf, withGradient } from "./gradient.ts";

type Shape = readonly number[];

/** A model of some nodes that compute "y". */
interface Case {
  readonly inputs: Readonly<Record<string, Shape>>;
  /** Lengths of "y", for the description of the output. */
  readonly shape: Shape;
  readonly graph: readonly Uint8Array[];
}

/** Numbers from 0.2 to 1.7 of either sign, without order: no operator has an edge there. */
function values(shape: Shape, seed = 1): Float32Array<ArrayBuffer> {
  const count = shape.reduce((product, size) => product * size, 1);
  return Float32Array.from({ length: count }, (_, i) => {
    const turn = Math.sin((i + 1) * 12.9898 * seed) * 43_758.5453;
    const share = turn - Math.floor(turn);
    return share < 0.5 ? -0.2 - 3 * share : 0.2 + 3 * (share - 0.5);
  });
}
const positive = (shape: Shape, seed = 1) => values(shape, seed).map(Math.abs);

const axis = (value: number) => writeAttribute("axis", value);
const one = (type: string, shape: Shape, result: Shape = shape): Case => ({
  inputs: { x: shape },
  shape: result,
  graph: [node(type, ["x"], ["y"])],
});
const text = (name: string, value: string) =>
  bytesField(5, [textField(1, name), textField(4, value), numberField(20, 3)]);
const ofTwo = (type: string, a: Shape, b: Shape, result: Shape): Case => ({
  inputs: { a, b },
  shape: result,
  graph: [node(type, ["a", "b"], ["y"])],
});
const convolution = (x: Shape, weights: Shape, result: Shape, attributes: Record<string, number | number[]>): Case => ({
  inputs: { x },
  shape: result,
  graph: [
    node(
      "Conv",
      ["x", "weights", "bias"],
      ["y"],
      Object.entries(attributes).map(([name, value]) => writeAttribute(name, value)),
    ),
    numbers("weights", values(weights, 2), weights),
    numbers("bias", values([weights[0] ?? 0], 3)),
  ],
});

const cases: Readonly<Record<string, Case>> = {
  Identity: one("Identity", [4]),
  Cast: { inputs: { x: [4] }, shape: [4], graph: [node("Cast", ["x"], ["y"], [writeAttribute("to", FLOAT)])] },
  Relu: one("Relu", [3, 4]),
  Tanh: one("Tanh", [3, 4]),
  Exp: one("Exp", [3, 4]),
  Sin: one("Sin", [3, 4]),
  Cos: one("Cos", [3, 4]),
  Sqrt: { inputs: { x: [5] }, shape: [5], graph: [node("Exp", ["x"], ["z"]), node("Sqrt", ["z"], ["y"])] },
  Clip: {
    inputs: { x: [12] },
    shape: [12],
    graph: [node("Clip", ["x", "", "most"], ["y"]), scalar("most", 0.1)],
  },
  FastGelu: { inputs: { x: [3, 4] }, shape: [3, 4], graph: [node("FastGelu", ["x"], ["y"], [], "com.microsoft")] },
  Add: ofTwo("Add", [2, 3], [2, 3], [2, 3]),
  "Add, with a row": ofTwo("Add", [2, 3], [3], [2, 3]),
  "Sub, with a column": ofTwo("Sub", [2, 1], [2, 3], [2, 3]),
  Mul: ofTwo("Mul", [2, 1, 3], [4, 1], [2, 4, 3]),
  "Mul of a number by itself": { inputs: { x: [4] }, shape: [4], graph: [node("Mul", ["x", "x"], ["y"])] },
  Div: ofTwo("Div", [2, 3], [1, 3], [2, 3]),
  "Div by a number": ofTwo("Div", [2, 3], [], [2, 3]),
  "Mul of rows whose count is known when it runs": {
    inputs: { a: [2, 3], b: [2, 3] },
    shape: [2, 3],
    graph: [
      node("Slice", ["a", "zero", "one", "zero"], ["row"]),
      node("Mul", ["row", "b"], ["y"]),
      integers("zero", 0),
      integers("one", 1),
    ],
  },
  Gemm: {
    inputs: { x: [2, 3] },
    shape: [2, 4],
    graph: [
      node("Gemm", ["x", "weights", "bias"], ["y"], [writeAttribute("transB", 1)]),
      numbers("weights", values([4, 3], 2), [4, 3]),
      numbers("bias", values([4], 3)),
    ],
  },
  MatMul: {
    inputs: { x: [1, 2, 3] },
    shape: [1, 2, 4],
    graph: [node("MatMul", ["x", "weights"], ["y"]), numbers("weights", values([3, 4], 2), [3, 4])],
  },
  "Conv of each channel by itself": convolution([1, 3, 9], [3, 1, 4], [1, 3, 6], { group: 3 }),
  "Conv of each channel by itself, with gaps": convolution([1, 2, 9], [2, 1, 3], [1, 2, 7], {
    group: 2,
    dilations: [2],
    pads: [1, 1],
  }),
  "Conv of groups of channels": convolution([1, 4, 6], [2, 2, 3], [1, 2, 4], { group: 2 }),
  "Conv with gaps": convolution([1, 2, 9], [3, 2, 3], [1, 3, 5], { dilations: [2] }),
  "Conv with gaps, of the same length": convolution([1, 2, 12], [3, 2, 3], [1, 3, 12], {
    dilations: [5],
    pads: [5, 5],
  }),
  "Conv of a plane": convolution([1, 2, 4, 5], [3, 2, 3, 3], [1, 3, 4, 5], { pads: [1, 1, 1, 1] }),
  "Conv with steps, to the end": convolution([1, 2, 5, 7], [3, 2, 3, 3], [1, 3, 3, 4], {
    pads: [1, 1, 1, 1],
    strides: [2, 2],
  }),
  "Conv with steps along one axis": convolution([1, 2, 6, 4], [3, 2, 5, 5], [1, 3, 3, 4], {
    pads: [2, 2, 2, 2],
    strides: [2, 1],
  }),
  "Conv with steps, and a rest": convolution([1, 1, 6, 10], [2, 1, 3, 3], [1, 2, 3, 4], {
    pads: [1, 0, 1, 0],
    strides: [2, 2],
  }),
  Pad: {
    inputs: { x: [1, 2, 3] },
    shape: [1, 2, 6],
    graph: [node("Pad", ["x", "margins"], ["y"], [text("mode", "edge")]), integers("margins", 0, 0, 2, 0, 0, 1)],
  },
  "Pad of one number": {
    inputs: { x: [1, 2, 1] },
    shape: [1, 2, 4],
    graph: [node("Pad", ["x", "margins"], ["y"], [text("mode", "edge")]), integers("margins", 0, 0, 1, 0, 0, 2)],
  },
  Slice: {
    inputs: { x: [1, 6, 2] },
    shape: [1, 3, 2],
    graph: [
      node("Slice", ["x", "from", "to", "axis"], ["y"]),
      integers("from", 2),
      integers("to", -1),
      integers("axis", 1),
    ],
  },
  "Slice from the end to the end": {
    inputs: { x: [2, 5] },
    shape: [2, 2],
    graph: [
      node("Slice", ["x", "from", "to", "axis", "step"], ["y"]),
      ...[integers("from", -2), integers("to", 99), integers("axis", -1), integers("step", 1)],
    ],
  },
  Concat: {
    inputs: { a: [2, 1], b: [2, 3] },
    shape: [2, 6],
    graph: [node("Concat", ["a", "fixed", "b"], ["y"], [axis(-1)]), numbers("fixed", values([2, 2], 5), [2, 2])],
  },
  Split: {
    inputs: { x: [5, 2] },
    shape: [2, 2],
    graph: [node("Split", ["x", "sizes"], ["before", "y", "after"], [axis(0)]), integers("sizes", 1, 2, 2)],
  },
  Transpose: {
    inputs: { x: [2, 3, 4] },
    shape: [4, 2, 3],
    graph: [node("Transpose", ["x"], ["y"], [writeAttribute("perm", [2, 0, 1])])],
  },
  "Transpose of a matrix": one("Transpose", [2, 3], [3, 2]),
  Reshape: {
    inputs: { x: [2, 6] },
    shape: [3, 4],
    graph: [node("Reshape", ["x", "sizes"], ["y"]), integers("sizes", 3, -1)],
  },
  Squeeze: {
    inputs: { x: [1, 3] },
    shape: [3],
    graph: [node("Squeeze", ["x", "axes"], ["y"]), integers("axes", 0)],
  },
  Unsqueeze: {
    inputs: { x: [3] },
    shape: [3, 1],
    graph: [node("Unsqueeze", ["x", "axes"], ["y"]), integers("axes", 1)],
  },
  Expand: {
    inputs: { x: [2, 1] },
    shape: [3, 2, 4],
    graph: [node("Expand", ["x", "sizes"], ["y"]), integers("sizes", 3, 2, 4)],
  },
  ReduceSum: {
    inputs: { x: [2, 3, 2] },
    shape: [2, 2],
    graph: [node("ReduceSum", ["x", "axes"], ["y"], [writeAttribute("keepdims", 0)]), integers("axes", 1)],
  },
  ReduceL2: {
    inputs: { x: [2, 3] },
    shape: [2, 1],
    graph: [node("ReduceL2", ["x", "axes"], ["y"]), integers("axes", 1)],
  },
  Softmax: { inputs: { x: [2, 4, 3] }, shape: [2, 4, 3], graph: [node("Softmax", ["x"], ["y"], [axis(1)])] },
  BatchNormalization: {
    inputs: { x: [1, 3, 4] },
    shape: [1, 3, 4],
    graph: [
      node("BatchNormalization", ["x", "scale", "bias", "mean", "variance"], ["y"]),
      ...[numbers("scale", values([3], 2)), numbers("bias", values([3], 3))],
      ...[numbers("mean", values([3], 4)), numbers("variance", positive([3], 5))],
    ],
  },
  LayerNormalization: {
    inputs: { x: [1, 2, 5] },
    shape: [1, 2, 5],
    graph: [
      node("LayerNormalization", ["x", "scale", "bias"], ["y"], [axis(-1)]),
      numbers("scale", values([5], 2)),
      numbers("bias", values([5], 3)),
    ],
  },
  "LayerNormalization, by its weights": {
    inputs: { x: [1, 2, 5], scale: [5], bias: [5] },
    shape: [1, 2, 5],
    graph: [node("LayerNormalization", ["x", "scale", "bias"], ["y"], [axis(-1)])],
  },
  "a value that is used three times": {
    inputs: { x: [3] },
    shape: [3],
    graph: [node("Tanh", ["x"], ["t"]), node("Mul", ["t", "x"], ["m"]), node("Add", ["m", "t"], ["y"])],
  },
  "the shape of a value, which has none": {
    inputs: { x: [2, 3] },
    shape: [6],
    graph: [
      node("Shape", ["x"], ["sizes"]),
      node("Gather", ["sizes", "axis"], ["size"]),
      node("Mul", ["size", "three"], ["length"]),
      node("Reshape", ["x", "length"], ["y"]),
      integers("axis", 0),
      integers("three", 3),
    ],
  },
};

const modelWith = ({ inputs, shape, graph }: Case) =>
  modelOf([
    ...graph,
    ...Object.entries(inputs).map(([name, sizes]) => input(name, FLOAT, sizes)),
    output("y", FLOAT, shape),
  ]);

describe("the gradient of", { timeout: 60_000 }, () => {
  for (const [name, small] of Object.entries(cases)) {
    it(`${name} is that of finite differences`, { timeout: 30_000 }, async () => {
      const by = Object.keys(small.inputs);
      const session = await openSession(withGradient(modelWith(small), { of: ["y"], by }), 1);
      const at = Object.fromEntries(by.map((each, i) => [each, values(small.inputs[each] ?? [], i + 1)]));
      const given = values(small.shape, 7);
      const run = async (changed: Readonly<Record<string, Float32Array>>) => {
        const feeds = Object.entries({ ...at, ...changed }).map(
          ([each, data]) => [each, floats(data, ...(small.inputs[each] ?? []))] as const,
        );
        return session.run({ ...Object.fromEntries(feeds), [gradientOf("y")]: floats(given, ...small.shape) });
      };
      const sumAt = async (changed: Readonly<Record<string, Float32Array>>): Promise<number> =>
        floatsOf(await run(changed), "y").reduce((sum, value, i) => sum + value * (given[i] ?? 0), 0);
      const results = await run({});
      for (const each of by) {
        assert.deepEqual(results[gradientOf(each)]?.dims, small.inputs[each]);
        const start = at[each] ?? new Float32Array(0);
        const actual = floatsOf(results, gradientOf(each));
        const largest = actual.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        assert.ok(largest > 0);
        for (let i = 0; i < start.length; i++) {
          const moved = (by: number) => sumAt({ [each]: start.with(i, (start[i] ?? 0) + by) });
          const expected = ((await moved(STEP)) - (await moved(-STEP))) / (2 * STEP);
          const apart = Math.abs((actual[i] ?? 0) - expected);
          assert.ok(apart < 2e-3 * Math.max(largest, 1), `${actual[i]} instead of ${expected} by ${each} at ${i}`);
        }
      }
      await session.release();
    });
  }
});

const STEP = 0.01;

describe("a gradient", { timeout: 60_000 }, () => {
  it("of an unknown operator is refused by its name", () => {
    const model = modelWith(one("Erf", [3]));
    assert.throws(() => withGradient(model, { of: ["y"], by: ["x"] }), /operator Erf \("y"\)/);
  });

  it("of unknown operators off the path is not needed", () => {
    const small = one("Tanh", [3]);
    const model = modelWith({ ...small, graph: [...small.graph, node("Erf", ["x"], ["other"])] });
    assert.ok(withGradient(model, { of: ["y"], by: ["x"] }).length > 0);
  });

  it("is refused for names that the model does not have, and inputs without influence", () => {
    const model = modelWith(ofTwo("Tanh", [3], [3], [3]));
    assert.throws(() => withGradient(model, { of: ["z"], by: ["x"] }), /"z"/);
    assert.throws(() => withGradient(model, { of: ["y"], by: ["x"] }), /"x"/);
    const apart = modelWith({ inputs: { a: [3], b: [3] }, shape: [3], graph: [node("Tanh", ["a"], ["y"])] });
    assert.throws(() => withGradient(apart, { of: ["y"], by: ["b"] }), /do not depend on "b"/);
  });

  it("of a product in 8 bits is that with the numbers that its weights stand for", async () => {
    const x = Float32Array.of(-0.9, 0.4, 3, 0.11, -5, 0.2);
    const weights = Int8Array.of(10, -20, 3, 63, -5, 7);
    const scale = Float32Array.of(0.5, 0.25);
    const inputs = ["coarse", "weights", "step", "scale", "zero"];
    const model = modelOf([
      node("QuantizeLinear", ["x", "step", "zero"], ["coarse"]),
      node("MatMulIntegerToFloat", inputs, ["y"], [], "com.microsoft"),
      ...[scalar("step", 0.01), numbers("zero", Uint8Array.of(128), [])],
      ...[numbers("weights", weights, [3, 2]), numbers("scale", scale)],
      ...[input("x", FLOAT, [1, 2, 3]), output("y", FLOAT, [1, 2, 2])],
    ]);
    const session = await openSession(withGradient(model, { of: ["y"], by: ["x"] }), 1);
    const given = Float32Array.of(1, -2, 0.5, 3);
    const results = await session.run({ x: floats(x, 1, 2, 3), [gradientOf("y")]: floats(given, 1, 2, 2) });
    // Numbers below -1.28 or above 1.27 are outside the range of the bytes.
    const expected = Array.from(x, (value, i) => {
      const [row, column] = [Math.floor(i / 3), i % 3];
      if (value < -1.28 || value > 1.27) return 0;
      const at = (output: number) =>
        (given[2 * row + output] ?? 0) * (weights[2 * column + output] ?? 0) * (scale[output] ?? 0);
      return at(0) + at(1);
    });
    // The gradient is rounded as well.
    const tolerance = 0.01 * Math.max(...expected.map(Math.abs));
    for (const [i, value] of floatsOf(results, gradientOf("x")).entries())
      assert.ok(Math.abs(value - (expected[i] ?? 0)) < tolerance, `${value} instead of ${expected[i]} at ${i}`);
    assert.equal(expected.filter((value) => value === 0).length, 2);
    await session.release();
  });

  it("by a weight is refused", () => {
    const model = modelWith(ofTwo("Gemm", [2, 3], [3, 4], [2, 4]));
    assert.throws(() => withGradient(model, { of: ["y"], by: ["b"] }), /input 1 of Gemm/);
  });

  it("keeps each weight once, and the outputs", async () => {
    const small = convolution([1, 64, 9], [64, 64, 3], [1, 64, 7], {});
    const model = modelWith(small);
    const both = withGradient(model, { of: ["y"], by: ["x"] });
    assert.ok(both.length < model.length + 1000);
    const [before, after] = await Promise.all([model, both].map((file) => openSession(file, 1)));
    const x = floats(values([1, 64, 9]), 1, 64, 9);
    const expected = await before?.run({ x });
    const found = await after?.run({ x, [gradientOf("y")]: floats(new Float32Array(64 * 7), 1, 64, 7) });
    assert.deepEqual(found?.y?.data, expected?.y?.data);
  });
});
