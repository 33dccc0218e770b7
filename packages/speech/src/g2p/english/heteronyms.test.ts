import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { spokenWords } from "../../testing/spoken-words.ts";
import { loadEspeak } from "../espeak.ts";
import { createPronouncer, type FrontEnd } from "../pronounce.ts";
import { loadEnglish } from "./english.ts";

let english: FrontEnd;
before(async () => {
  english = await loadEnglish(createPronouncer(await loadEspeak()));
});

test("at least 56 of sixty words with two pronunciations are read as meant", async () => {
  const lines = await readFile(new URL("heteronym-sentences.txt", import.meta.url), "utf8");
  const wrong: string[] = [];
  let cases = 0;
  for (const line of lines.split("\n").filter((text) => text !== "" && !text.startsWith("#"))) {
    const [sentence = "", word = "", expected = ""] = line.split("|").map((part) => part.trim());
    const words = spokenWords(sentence);
    const index = words.findIndex(({ text }) => text.toLowerCase() === word);
    const phonemes = english(words, "en-us")[index]?.phonemes.join("");
    cases++;
    if (phonemes !== expected) wrong.push(`${sentence} → ${phonemes}`);
  }
  assert.equal(cases, 60);
  assert.ok(wrong.length <= 4, wrong.join("\n"));
});
