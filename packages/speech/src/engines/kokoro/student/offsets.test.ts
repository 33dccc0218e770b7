import assert from "node:assert/strict";
import { test } from "node:test";
import { noise } from "../../../testing/signals.ts";
import { cloningEngine } from "../../registry.ts";
import { DECODER_OFFSETS, MODULATION, offsetTensors } from "./offsets.ts";

test("the offsets of a voice are those of one block after the other", () => {
  const offsets = noise(DECODER_OFFSETS, 1);
  const tensors = offsetTensors(offsets);
  const inOrder = MODULATION.flatMap((name) => [...((tensors[name]?.data ?? []) as Float32Array)]);
  assert.deepEqual(Float32Array.from(inOrder), offsets);
  assert.deepEqual([DECODER_OFFSETS, tensors["modulation.7"]?.dims], [7168, [1, 896]]);
});

test("cloning knows how many they are", () => {
  assert.equal(cloningEngine.cloning.decoderOffsetsSize, DECODER_OFFSETS);
});

test("other numbers are refused", () => {
  const message = /decoder offsets of a voice of Kokoro are 7168 finite numbers/;
  for (const length of [0, DECODER_OFFSETS - 1, DECODER_OFFSETS + 1])
    assert.throws(() => offsetTensors(new Float32Array(length)), message);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => offsetTensors(new Float32Array(DECODER_OFFSETS).fill(value, 5000, 5001)), message);
});
