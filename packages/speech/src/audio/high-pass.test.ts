import assert from "node:assert/strict";
import { test } from "node:test";
import { createHighPass } from "./high-pass.ts";

const RATE = 24_000;
const hum = (hertz: number) =>
  Float32Array.from({ length: RATE }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / RATE));

/** What is left of a tone after half a second, in dB. */
function leftOf(hertz: number): number {
  const samples = hum(hertz);
  createHighPass(RATE, 40)(samples);
  const energy = samples.subarray(RATE / 2).reduce((sum, sample) => sum + sample * sample, 0);
  return 10 * Math.log10(energy / (RATE / 4));
}

test("hum is removed, voices are kept", () => {
  assert.ok(leftOf(10) < -23);
  assert.ok(leftOf(20) < -12);
  assert.ok(Math.abs(leftOf(40) + 3) < 0.1);
  assert.ok(leftOf(80) > -0.3);
  assert.ok(leftOf(1000) > -0.01);
});

test("a constant offset is removed", () => {
  const samples = new Float32Array(RATE).fill(0.5);
  createHighPass(RATE, 40)(samples);
  assert.ok(samples.subarray(RATE / 2).every((sample) => Math.abs(sample) < 1e-6));
});

test("pieces give the same result as the whole", () => {
  const whole = hum(50);
  const pieces = hum(50);
  createHighPass(RATE, 40)(whole);
  const filter = createHighPass(RATE, 40);
  for (let start = 0; start < pieces.length; start += 777) filter(pieces.subarray(start, start + 777));
  assert.deepEqual(pieces, whole);
});
