import assert from "node:assert/strict";
import { test } from "node:test";
import { planChunks } from "./chunks.ts";
import { parsePronunciation, parsePronunciations } from "./pronunciations.ts";

const list = parsePronunciations({
  Nguyen: "/nwˈɪn/",
  GIF: "jiff",
  SQL: "sequel",
  "C++": "see plus plus",
  cat: "/K AE1 T/",
  empty: "  ",
  broken: "/123/",
});
const spoken = (text: string) => {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  return [...planChunks(text, { ...options, languageOf: () => "en-us", pronunciations: list })].flatMap(
    ({ words }) => words,
  );
};

test("listed words are spoken as given, whatever their case", () => {
  assert.deepEqual(
    spoken("Nguyen likes gif, SQL and C++.").map(({ text, after }) => text + after),
    ["nwˈɪn", "likes", "jiff,", "sequel", "and", "see", "plus", "plus."],
  );
  assert.deepEqual(
    spoken("The CAT sat.").map(({ phonemes }) => phonemes),
    [undefined, "kˈæt", undefined],
  );
});

test("the possessive of a listed word follows its last sound", () => {
  assert.deepEqual(
    spoken("Nguyen's cat's gif’s").map(({ text }) => text),
    ["nwˈɪnz", "kˈæts", "jiff's"],
  );
});

test("the words keep their ranges of the text", () => {
  const text = "Ask SQL, not Nguyen!";
  assert.deepEqual(
    spoken(text).map(({ from, to }) => text.slice(from, to)),
    ["Ask", "SQL", "not", "Nguyen"],
  );
});

test("values that are neither words nor phonemes are known as such", () => {
  assert.deepEqual(parsePronunciation(" /həlˈoʊ/ "), { phonemes: "həlˈoʊ" });
  assert.deepEqual(parsePronunciation("hello there"), { respelling: "hello there" });
  for (const value of ["", "  ", "//", "/123/", "42", "!"]) assert.equal(parsePronunciation(value), undefined, value);
  assert.equal(list.has("empty"), false);
  assert.equal(list.has("broken"), false);
});
