import assert from "node:assert/strict";
import { test } from "node:test";
import { noise } from "../../../testing/signals.ts";
import { cloningEngine } from "../../registry.ts";
import { DECODER_OFFSETS, joinOffsets, LEVELS, MODULATION, offsetTensors, splitOffsets } from "./offsets.ts";

test("the offsets of a voice are those of each block, then the levels", () => {
  const offsets = noise(DECODER_OFFSETS, 1);
  const parts = splitOffsets(offsets);
  assert.deepEqual(joinOffsets(parts), offsets);
  const tensors = offsetTensors(parts);
  const inOrder = [...MODULATION, LEVELS].flatMap((name) => [...((tensors[name]?.data ?? []) as Float32Array)]);
  assert.deepEqual(Float32Array.from(inOrder), offsets);
  assert.deepEqual([DECODER_OFFSETS, tensors["modulation.7"]?.dims, tensors.levels?.dims], [9733, [1, 896], [1, 2565]]);
});

test("cloning knows how many they are", () => {
  assert.equal(cloningEngine.cloning.decoderOffsetsSize, DECODER_OFFSETS);
});

test("other numbers are refused", () => {
  const message = /decoder offsets of a voice of Kokoro are 9733 finite numbers/;
  for (const length of [0, DECODER_OFFSETS - 1, DECODER_OFFSETS + 1])
    assert.throws(() => splitOffsets(new Float32Array(length)), message);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => splitOffsets(new Float32Array(DECODER_OFFSETS).fill(value, 5000, 5001)), message);
});
