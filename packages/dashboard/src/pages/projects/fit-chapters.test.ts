import assert from "node:assert/strict";
import { test } from "node:test";
import { countParagraphs, fitChapters } from "./fit-chapters.ts";

const chapter = (count: number, text: string) => ({
  title: "One",
  paragraphs: Array.from({ length: count }, () => ({ text })),
});

test("a text with few paragraphs stays as it is", () => {
  const chapters = [chapter(3, "Short.")];
  assert.equal(fitChapters(chapters), chapters);
});

test("short paragraphs are joined where there are too many, and none of their words is lost", () => {
  const chapters = [chapter(90, "“No,” she said."), chapter(30, "x".repeat(400))];
  const fitted = fitChapters(chapters, { chapters: 5, paragraphs: 60 });
  assert.ok(countParagraphs(fitted) <= 60);
  const words = (list: typeof chapters) => list.map(({ paragraphs }) => paragraphs.map(({ text }) => text).join("\n"));
  assert.deepEqual(words([...fitted] as typeof chapters), words(chapters));
  assert.equal(fitted[1]?.paragraphs.length, 30, "long paragraphs are not joined");
});

test("what does not fit is refused", () => {
  assert.throws(() => fitChapters([chapter(3, "x".repeat(3000))], { chapters: 5, paragraphs: 2 }), /too long/);
  assert.throws(() => fitChapters([chapter(1, "x"), chapter(1, "x")], { chapters: 1, paragraphs: 9 }), /2 chapters/);
});
