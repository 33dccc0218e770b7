import assert from "node:assert/strict";
import { test } from "node:test";
import { realignWords } from "./realign-words.ts";

const words = ["ask", "not", "what", "your", "country"].map((text, index) => ({
  text,
  start: index,
  end: index + 0.5,
  speaker: "A",
}));
const timesOf = (text: string) => realignWords(words, text).map(({ text: word, start, end }) => [word, start, end]);

test("words that stay keep their times, also with other punctuation", () => {
  assert.deepEqual(timesOf("Ask not what, your country!"), [
    ["Ask", 0, 0.5],
    ["not", 1, 1.5],
    ["what,", 2, 2.5],
    ["your", 3, 3.5],
    ["country!", 4, 4.5],
  ]);
});

test("new words share the time of those that they replace, or a pause", () => {
  assert.deepEqual(timesOf("ask never what your land is"), [
    ["ask", 0, 0.5],
    ["never", 1, 1.5],
    ["what", 2, 2.5],
    ["your", 3, 3.5],
    ["land", 4, 4.333],
    ["is", 4.333, 4.5],
  ]);
  assert.deepEqual(timesOf("ask please not what your country").slice(0, 3), [
    ["ask", 0, 0.5],
    ["please", 0.5, 1],
    ["not", 1, 1.5],
  ]);
  assert.ok(realignWords(words, "entirely other text").every(({ speaker }) => speaker === "A"));
});

test("words can be removed, all of them too, and characters count where there are no spaces", () => {
  assert.deepEqual(timesOf("country"), [["country", 4, 4.5]]);
  assert.deepEqual(timesOf(""), []);
  assert.equal(realignWords([{ text: "今日", start: 0, end: 1 }], "今日は").length, 3);
});

test("long texts that change everywhere stay in bounds", () => {
  const many = Array.from({ length: 9000 }, (_, index) => ({ text: `w${index}`, start: index, end: index + 1 }));
  const edited = many.map(({ text }) => `x${text}`).join(" ");
  const result = realignWords(many, edited);
  assert.equal(result.length, 9000);
  assert.equal(result.at(-1)?.end, 9000);
});
