import assert from "node:assert/strict";
import { test } from "node:test";
import { keptTokens } from "./kept-tokens.ts";

/** Steps of a vocabulary of four tokens: the likeliest one, and the probability of each other one. */
const steps = (...likeliest: readonly number[]) =>
  likeliest.map((best) => ({ scores: Float32Array.from({ length: 4 }, (_, token) => (token === best ? 3 : 0)) }));

test("a draft is kept as far as its tokens are the likeliest ones", () => {
  assert.deepEqual(keptTokens(steps(1, 2, 3, 0), [1, 2, 3], 0), { count: 3, hasContext: false });
  assert.deepEqual(keptTokens(steps(1, 2, 3, 0), [1, 3, 3], 0), { count: 1, hasContext: false });
  assert.deepEqual(keptTokens(steps(0), [], 0), { count: 0, hasContext: false });
});

test("a context is kept as a whole, unless the audio says something else", () => {
  // One of them is unlikely.
  assert.deepEqual(keptTokens(steps(1, 2, 3, 1, 2, 0), [1, 0, 3, 1, 2], 4), { count: 5, hasContext: true });
  assert.deepEqual(keptTokens(steps(1, 2, 3, 1, 0), [1, 0, 2, 1], 3), { count: 1, hasContext: false });
  // The first word may stand in the middle of a sentence.
  assert.deepEqual(keptTokens(steps(1, 2, 3, 0), [0, 2, 3], 3), { count: 3, hasContext: true });
});

test("tokens behind the context that are surely kept are kept with it", () => {
  assert.deepEqual(keptTokens(steps(1, 2, 3, 1, 0), [1, 2, 0, 1], 1, 3), { count: 4, hasContext: true });
  assert.deepEqual(keptTokens(steps(1, 2, 3, 0), [2, 2, 3], 0, 1), { count: 3, hasContext: false });
});
