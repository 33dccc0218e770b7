import assert from "node:assert/strict";
import { test } from "node:test";
import { noise } from "../testing/signals.ts";
import { createDecimator } from "./decimate.ts";
import { createResampler } from "./resample.ts";

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

for (const length of [3000, 3001, 3002, 100, 1, 0])
  test(`${length} samples of a third of the rate, and their transpose`, { timeout: 10_000 }, () => {
    const { forward, backward } = createDecimator(3);
    const x = noise(length, 1);
    const result = forward(x);
    const y = noise(Math.round(length / 3), 1, 2);
    assert.equal(result.length, y.length);
    const transposed = backward(y, length);
    assert.equal(transposed.length, length);
    assert.ok(Math.abs(dot(result, y) - dot(x, transposed)) < 1e-4);
  });

test("inside the signal, the samples are those of the resampler", { timeout: 10_000 }, () => {
  const samples = noise(6000, 1);
  const resampler = createResampler(24_000, 8000);
  const expected = Float32Array.from([...resampler.push(samples), ...resampler.flush()]);
  const found = createDecimator(3).forward(samples);
  assert.equal(found.length, expected.length);
  let worst = 0;
  for (let n = 60; n < found.length - 60; n++) worst = Math.max(worst, Math.abs((found[n] ?? 0) - (expected[n] ?? 0)));
  assert.ok(worst < 5e-4, `they differ by ${worst}`);
});
