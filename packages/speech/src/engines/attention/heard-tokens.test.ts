import assert from "node:assert/strict";
import { test } from "node:test";
import { heardTokens } from "./heard-tokens.ts";

const starts = [0, 0.5, 1, 1.5];
const ends = [-20, -18, -15, -12];

test("a text ends where that was likeliest when the rest has no time in the audio", () => {
  const invented = [1.9, 1.95, 1.95, 1.95, 1.95, 1.95];
  assert.equal(heardTokens([...starts, ...invented], [...ends, -1.7, -3, -6, -7, -6, -9], 2), 4);
});

test("fast speech is kept, and so is a text whose end was never likely before", () => {
  const fast = [1.6, 1.67, 1.74, 1.81, 1.88, 1.95];
  assert.equal(heardTokens([...starts, ...fast], [...ends, -1.7, -3, -6, -7, -6, -9], 2), 10);
  assert.equal(heardTokens([...starts, 1.9], [...ends, -2], 2), 5);
});

test("no tokens are none", () => {
  assert.equal(heardTokens([], [], 1), 0);
});
