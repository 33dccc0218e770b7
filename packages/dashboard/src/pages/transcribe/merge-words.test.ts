import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeWords } from "./merge-words.ts";

test("a transcript with too many words keeps all of its text", () => {
  const words = Array.from({ length: 10 }, (_, index) => ({ text: `w${index}`, start: index, end: index + 1 }));
  assert.equal(mergeWords(words, 10), words);
  const merged = mergeWords(words, 4);
  assert.deepEqual(
    merged.map(({ text, start, end }) => [text, start, end]),
    [
      ["w0 w1 w2", 0, 3],
      ["w3 w4 w5", 3, 6],
      ["w6 w7 w8", 6, 9],
      ["w9", 9, 10],
    ],
  );
});
