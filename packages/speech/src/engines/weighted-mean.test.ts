import assert from "node:assert/strict";
import { it } from "node:test";
import { weightedMean } from "./weighted-mean.ts";

it("a weighted mean is relative to the sum of the weights", () => {
  const part = (weight: number, ...numbers: number[]) => ({ weight, numbers: Float32Array.from(numbers) });
  assert.deepEqual([...weightedMean([part(30, 1, 2), part(10, 5, 6)])], [2, 3]);
  assert.deepEqual([...weightedMean([part(7, 1, 2)])], [1, 2]);
  assert.deepEqual([...weightedMean([part(1, 1, 2), part(1, 3)])], [2]);
});
