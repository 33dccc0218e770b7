import assert from "node:assert/strict";
import { it } from "node:test";
import { hashChapters } from "./paragraph-hash.ts";

it("others are served while a long text is hashed", async () => {
  const settings = { voice: "", language: null, speed: 1, speakers: {}, pronunciations: {} };
  const paragraphs = Array.from({ length: 500 }, (_, take) => ({ text: "a", voice: "", speaker: "", take }));
  const chapters = paragraphs.map((paragraph) => ({ title: "", paragraphs: [paragraph, { ...paragraph, text: "b" }] }));
  let turns = 0;
  let immediate = setImmediate(function count() {
    turns += 1;
    immediate = setImmediate(count);
  });
  const hashed = await hashChapters({ settings, chapters });
  clearImmediate(immediate);
  assert.ok(turns >= 15, `${turns} turns`);
  assert.equal(new Set(hashed.flatMap((chapter) => chapter.paragraphs.map(({ hash }) => hash))).size, 1000);
});
