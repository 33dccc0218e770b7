import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tokenStarts } from "./time-warp.ts";

test("tokens start where their attention starts", () => {
  const begins = [0, 12, 20, 41];
  const frames = 60;
  const head = new Float32Array(begins.length * frames);
  begins.forEach((from, token) => {
    head.fill(1, token * frames + from, token * frames + (begins[token + 1] ?? frames));
  });
  const starts = tokenStarts({ tokens: begins.length, frames, heads: [head] });
  starts.forEach((start, token) => {
    assert.ok(Math.abs(start - (begins[token] ?? 0)) <= 1, starts.join(" "));
  });
});

test("starts are valid frames and never decrease", () => {
  const anyAttention = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 40 }))
    .chain(([tokens, frames]) =>
      fc
        .array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: tokens * frames, maxLength: tokens * frames })
        .map((values) => ({ tokens, frames, heads: [Float32Array.from(values)] })),
    );
  fc.assert(
    fc.property(anyAttention, (attention) => {
      const starts = tokenStarts(attention);
      assert.equal(starts.length, attention.tokens);
      starts.forEach((start, index) => {
        assert.ok(Number.isInteger(start) && start >= (starts[index - 1] ?? 0) && start < attention.frames);
      });
    }),
  );
});
