import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { readSentence } from "./read.ts";
import type { SpokenWord } from "./types.ts";

const words = (text: string, language = "en-us", normalize = true): SpokenWord[] =>
  readSentence(text, 0, text.length, { language, normalize }).map(({ word }) => word);

const say = (text: string, language?: string, normalize?: boolean): string =>
  words(text, language, normalize)
    .map((word) => word.text + word.after)
    .join(" ");

/** Each word with the written word that it stands for. */
const origins = (text: string): string[] => words(text).map((word) => `${word.text}<${text.slice(word.from, word.to)}`);

const cases = readFileSync(new URL("./normalize-cases.txt", import.meta.url), "utf8").split("\n");

describe("normalization of English", () => {
  let kind = "";
  let count = 0;
  for (const line of cases) {
    if (line.startsWith("## ")) kind = line.slice(3);
    const [written, spoken] = line.split(" => ");
    if (written === undefined || spoken === undefined || line.startsWith("# ")) continue;
    count++;
    it(`${kind}: ${written}`, () => assert.equal(say(written), spoken));
  }
  it("covers at least 200 cases", () => assert.ok(count >= 200, `only ${count}`));
});

describe("silent characters are dropped", () => {
  for (const [written, spoken] of [
    ["zero\u200bwidth and soft\u00adhyphen", "zerowidth and softhyphen"],
    ["\ufeffHello\u2060 \u202aworld\u202c", "Hello world"],
    ["family \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f1e9}\u{1f1ea} \u{1f44d}\u{1f3fd}!", "family!"],
    ["1\ufe0f\u20e3 first", "one first"],
    ["\u{1f600}", ""],
    ["*** --- ___ ~~~", ""],
    ["\ud83d lone", "lone"],
  ] as const) {
    it(JSON.stringify(written), () => assert.equal(say(written), spoken));
  }
});

describe("British English", () => {
  it("reads hundreds with and, and dates with the day first", () => {
    assert.equal(
      say("105 people on 03/04/2021", "en-gb"),
      "one hundred and five people on the third of April, twenty twenty-one",
    );
    assert.equal(say("They won 3-0, then 2-1.", "en-gb"), "They won three nil, then two one.");
    assert.equal(say("2,005", "en-gb"), "two thousand and five");
  });
});

describe("words keep their position in the text", () => {
  it("maps every word of an amount to the written amount, without its punctuation", () => {
    assert.deepEqual(origins("It costs ($3.50), ok"), [
      "It<It",
      "costs<costs",
      "three<$3.50",
      "dollars<$3.50",
      "and<$3.50",
      "fifty<$3.50",
      "cents<$3.50",
      "okay<ok",
    ]);
  });
  it("maps dates and measures word by word", () => {
    assert.deepEqual(origins("March 3, 2021"), ["March<March", "third<3", "twenty<2021", "twenty-one<2021"]);
    assert.deepEqual(origins("3 km"), ["three<3", "kilometers<km"]);
    assert.deepEqual(origins("$3.5 million"), [
      "three<$3.5",
      "point<$3.5",
      "five<$3.5",
      "million<million",
      "dollars<million",
    ]);
  });
  it("excludes quotes, brackets and stops from the range", () => {
    assert.deepEqual(origins("“Hello,” (he) said…"), ["Hello<Hello", "he<he", "said<said"]);
  });
});

describe("without normalization", () => {
  it("leaves numbers to the phonemizer, and separates punctuation", () => {
    assert.equal(say("Pay $3.50, Dr. Smith!", "en-us", false), "Pay $3.50, Dr Smith!");
    assert.deepEqual(
      words("25 km", "en-us", false).map(({ text }) => text),
      ["25", "km"],
    );
  });
});

describe("other languages", () => {
  for (const [language, written, spoken] of [
    ["fr-fr", "L’été « très » chaud : 40 °C !", "L'été très chaud: quarante degrés Celsius!"],
    ["it", "Perché no? 😀", "Perché no?"],
    ["hi", "नमस्ते, दुनिया। २५", "नमस्ते, दुनिया. पच्चीस"],
  ] as const) {
    it(`${language}: ${written}`, () => assert.equal(say(written, language), spoken));
  }
});

describe("given phonemes", () => {
  it("are one word with the IPA of ARPAbet", () => {
    const text = "Say <|phoneme_start|>HH AH0 L OW1<|phoneme_end|>, please.";
    const [, hello] = words(text);
    assert.equal(hello?.phonemes, "həlˈoʊ");
    assert.equal(hello?.after, ",");
    assert.equal(text.slice(hello?.from, hello?.to), "HH AH0 L OW1");
  });
});
