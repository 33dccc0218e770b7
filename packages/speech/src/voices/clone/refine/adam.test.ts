import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAdam } from "./adam.ts";

const TARGET = [3, -2, 0.5];

describe("Adam", { timeout: 10_000 }, () => {
  it("finds the minimum of a function with very different slopes", () => {
    const values = new Float32Array(3);
    const step = createAdam({ values, rate: 0.2 });
    const scales = [1, 100, 0.01];
    for (let i = 0; i < 300; i++)
      step(
        values.map((value, k) => (scales[k] ?? 0) * (value - (TARGET[k] ?? 0))),
        1 - i / 300,
      );
    for (const [k, value] of values.entries()) assert.ok(Math.abs(value - (TARGET[k] ?? 0)) < 0.02, `${k}: ${value}`);
  });

  it("moves each number by the rate in its first step, whatever the slope", () => {
    const values = new Float32Array(2);
    createAdam({ values, rate: 0.1 })(Float32Array.of(1e-3, -50), 0.5);
    assert.ok(Math.abs((values[0] ?? 0) + 0.05) < 1e-4 && Math.abs((values[1] ?? 0) - 0.05) < 1e-4);
  });
});
