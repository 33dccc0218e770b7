import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSampleBuffer } from "./sample-buffer.ts";

test("returns any part of what was not dropped", () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lengths, fc.nat(60_000), fc.nat(60_000), fc.nat(60_000), (sizes, drop, from, length) => {
      const buffer = createSampleBuffer();
      let count = 0;
      for (const size of sizes) buffer.push(Int16Array.from({ length: size }, () => count++ % 30_000));
      assert.equal(buffer.end, count);
      buffer.drop(drop);
      const first = Math.max(from, drop);
      const expected = Array.from(
        { length: Math.max(0, Math.min(first + length, count) - first) },
        (_, index) => (first + index) % 30_000,
      );
      assert.deepEqual([...buffer.slice(first, first + length)], expected);
    }),
    { numRuns: 60 },
  );
});
