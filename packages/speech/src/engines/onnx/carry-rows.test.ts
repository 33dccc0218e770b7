import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { floatsOf } from "../session.ts";
import { CARRIED, carryRows } from "./carry-rows.ts";

const WIDTH = 644;
const blocks = { convolutions: 8, rows: 6, channels: 448 };
const student = await readFile(new URL("../../../assets/kokoro-student/student.onnx", import.meta.url));

test("a network continues where it ended, with the rows that it has returned", async () => {
  const options = { logSeverityLevel: 3, intraOpNumThreads: 1 } as const;
  const original = await InferenceSession.create(student, options);
  const continued = await InferenceSession.create(carryRows(student, blocks), options);
  const features = Float32Array.from({ length: 64 * WIDTH }, (_, i) => 0.1 * Math.sin(i * 0.37));
  const condition = new Tensor("float32", new Float32Array(1156).fill(0.05), [1, 1156]);
  const rows = (from: number, to: number) =>
    new Tensor("float32", features.slice(from * WIDTH, to * WIDTH), [1, to - from, WIDTH]);
  try {
    const whole = await original.run({ features: rows(0, 64), condition });
    const none = new Tensor("float32", new Float32Array(0), [blocks.convolutions, 0, blocks.channels]);
    const first = await continued.run({ features: rows(0, 55), condition, [CARRIED.input]: none });
    const carried = first[CARRIED.output];
    assert.ok(carried);
    assert.deepEqual(carried.dims, [blocks.convolutions, blocks.rows, blocks.channels]);
    const second = await continued.run({ features: rows(53, 64), condition, [CARRIED.input]: carried });
    for (const name of original.outputNames) {
      const expected = floatsOf(whole, name);
      const found = [first, second].flatMap((result) => [...floatsOf(result, name)]);
      assert.equal(found.length, expected.length);
      const apart = found.reduce((most, value, i) => Math.max(most, Math.abs(value - (expected[i] ?? 0))), 0);
      assert.ok(apart < 1e-4, `${name} differs by ${apart}`);
    }
  } finally {
    await Promise.all([original.release(), continued.release()]);
  }
});

test("a network with other convolutions is refused", () => {
  assert.throws(() => carryRows(student, { ...blocks, convolutions: 7 }), /8 convolutions/);
});
