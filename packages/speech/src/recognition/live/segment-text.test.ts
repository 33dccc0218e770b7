import assert from "node:assert/strict";
import { test } from "node:test";
import { textEvent } from "./segment-text.ts";

const word = (text: string, start: number, end: number) => ({ text, start, end, joined: false });
const timesOf = (words: readonly ReturnType<typeof word>[]) =>
  textEvent(0, words, "en").words.map(({ start, end }) => [start, end]);

test("words do not overlap where their decodings disagree", () => {
  const words = [word("Mr.", 1.427, 1.859), word("Hale,", 1.8554, 2.1), word("as", 2.05, 2.08), word("he", 2.2, 2.4)];
  const { text, start, end } = textEvent(0, words, "en");
  assert.equal(text, "Mr. Hale, as he");
  assert.deepEqual(timesOf(words), [
    [1.427, 1.855],
    [1.855, 2.05],
    [2.05, 2.08],
    [2.2, 2.4],
  ]);
  assert.deepEqual([start, end], [1.427, 2.4]);
});

test("a word with a wrong time moves no later ones", () => {
  const rest = [word("of", 1.5, 1.6), word("truth", 1.7, 2)];
  const restTimes = rest.map(({ start, end }) => [start, end]);
  assert.deepEqual(timesOf([word("a", 1.2, 9), ...rest]), [[1.2, 1.5], ...restTimes]);
  assert.deepEqual(timesOf([word("a", 8, 9), ...rest]), [[1.5, 1.5], ...restTimes]);
  assert.deepEqual(timesOf([word("he", 1, 1.2), word("a", 0.1, 0.2), ...rest]), [[0.1, 0.1], [0.1, 0.2], ...restTimes]);
});
