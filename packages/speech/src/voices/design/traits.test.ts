import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { traitsOf } from "./traits.ts";

describe("the traits of a description", () => {
  const understood: readonly (readonly [string, readonly string[]])[] = [
    [
      "An old British man with a very deep voice, slow and calm",
      ["male", "old", "en-GB", "very low pitch", "slow", "calm"],
    ],
    ["A young American woman, cheerful and fast", ["female", "young", "en-US", "fast", "cheerful"]],
    ["a 70-year-old grandmother", ["female", "old"]],
    ["middle-aged narrator", ["middle-aged"]],
    ["A woman in her forties", ["female", "middle-aged"]],
    ["落ち着いた30歳の女性の声", ["female", "middle-aged", "calm"]],
    ["温柔的年轻女性", ["female", "young", "gentle"]],
    ["a manic mandate about womankind", []],
    ["Warm, confident studio narrator with a natural tone", ["serious", "gentle"]],
  ];
  for (const [description, traits] of understood) {
    it(`are ${traits.join(", ") || "none"} in "${description}"`, () => {
      assert.deepEqual([...traitsOf(description).understood].sort(), [...traits].sort());
    });
  }

  it("change pitch and pace, more so with very", () => {
    const plain = traitsOf("a voice");
    assert.deepEqual([plain.pitch, plain.pace], [1, 1]);
    const [low, veryLow] = [traitsOf("low pitch").pitch, traitsOf("very low pitch").pitch];
    assert.ok(veryLow < low && low < 1);
    assert.ok(traitsOf("high").pitch > 1);
    assert.ok(traitsOf("slow").pace < 1 && traitsOf("fast").pace > 1);
  });

  it("come from descriptions of any kind without a fault", () => {
    for (const text of ["", "\0", "\ud800", "very", "very very very", "9".repeat(2000), "女".repeat(2000)])
      traitsOf(text);
  });
});
