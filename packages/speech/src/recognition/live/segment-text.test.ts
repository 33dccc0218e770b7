import assert from "node:assert/strict";
import { test } from "node:test";
import { textEvent } from "./segment-text.ts";

test("words do not overlap where their decodings disagree", () => {
  const word = (text: string, start: number, end: number) => ({ text, start, end, joined: false });
  const words = [word("Mr.", 1.427, 1.859), word("Hale,", 1.8554, 2.1), word("as", 2.05, 2.08), word("he", 2.2, 2.4)];
  const { text, words: timed, start, end } = textEvent(0, words, "en");
  assert.equal(text, "Mr. Hale, as he");
  assert.deepEqual(
    timed.map((each) => [each.start, each.end]),
    [
      [1.427, 1.859],
      [1.859, 2.1],
      [2.1, 2.1],
      [2.2, 2.4],
    ],
  );
  assert.deepEqual([start, end], [1.427, 2.4]);
});
