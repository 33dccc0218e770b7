import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { noise } from "../../testing/signals.ts";
import { meanAttention, tokenStarts } from "./time-warp.ts";

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

test("attention is standardized over the tokens and smoothed by the median of seven frames", () => {
  const [tokens, frames] = [5, 30];
  const head = noise(tokens * frames, 1, 4);
  const at = (token: number, frame: number): number => {
    const inside = frame < 0 ? -frame : frame >= frames ? 2 * frames - 2 - frame : frame;
    const column = Array.from({ length: tokens }, (_, each) => head[each * frames + inside] ?? 0);
    const mean = column.reduce((sum, value) => sum + value, 0) / tokens;
    const variance = column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / tokens;
    return ((column[token] ?? 0) - mean) / Math.sqrt(variance);
  };
  const found = meanAttention({ tokens, frames, heads: [head] });
  found.forEach((value, index) => {
    const [token, frame] = [Math.floor(index / frames), index % frames];
    const [median = 0] = [-3, -2, -1, 0, 1, 2, 3]
      .map((step) => at(token, frame + step))
      .sort((a, b) => a - b)
      .slice(3);
    assert.ok(Math.abs(value - median) < 1e-4, `token ${token}, frame ${frame}: ${value}, not ${median}`);
  });
});
