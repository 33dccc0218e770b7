import assert from "node:assert/strict";
import { test } from "node:test";
import { loopedTokens } from "./repetition.ts";

test("a few repeated words are not a loop", () => {
  assert.equal(loopedTokens([]), 0);
  assert.equal(loopedTokens([5, 7, 7, 7, 7]), 0);
  assert.equal(loopedTokens([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]), 0);
});

test("a phrase that is repeated many times is a loop, and its repetitions are counted", () => {
  const phrase = [3, 1, 4, 1, 5];
  assert.equal(loopedTokens([9, 8, ...phrase, ...phrase, ...phrase, ...phrase]), 15);
  assert.equal(loopedTokens([9, ...Array<number>(9).fill(7)]), 8);
});
