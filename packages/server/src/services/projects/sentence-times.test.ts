import assert from "node:assert/strict";
import { test } from "node:test";
import { sentencesOf } from "./sentence-times.ts";

test("sentences have the time of their first and last word, and no marks", () => {
  const text = "Hello there. [break] <|speed:0.8|>How are “you?” Fine";
  const spoken = ["Hello", "there", "How", "are", "you", "Fine"];
  const words = spoken.map((word, index) => ({ text: word, start: index, end: index + 0.5 }));
  assert.deepEqual(sentencesOf(text, words, 10), [
    { text: "Hello there.", start: 10, end: 11.5 },
    { text: "How are “you?”", start: 12, end: 14.5 },
    { text: "Fine", start: 15, end: 15.5 },
  ]);
  assert.deepEqual(sentencesOf("No words known.", [], 0), []);
});
