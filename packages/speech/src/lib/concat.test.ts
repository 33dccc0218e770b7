import assert from "node:assert/strict";
import { it } from "node:test";
import { concatBytes, concatSamples } from "./concat.ts";

it("joins pieces in order, empty ones included", () => {
  const samples = concatSamples([Float32Array.of(1, 2), new Float32Array(0), Float32Array.of(3)]);
  assert.deepEqual(samples, Float32Array.of(1, 2, 3));
  assert.deepEqual(concatBytes([Uint8Array.of(1), Uint8Array.of(2, 3)]), Uint8Array.of(1, 2, 3));
  assert.equal(concatSamples([]).length, 0);
  assert.equal(concatBytes([]).length, 0);
});

it("returns a single piece of bytes without a copy", () => {
  const only = Uint8Array.of(7);
  assert.equal(concatBytes([only]), only);
});
