import assert from "node:assert/strict";
import { test } from "node:test";
import { readSentence } from "../../text/read.ts";
import { pronounceJapanese } from "./japanese.ts";

const wordsOf = (text: string, normalize = true) =>
  readSentence(text, 0, text.length, { language: "ja", normalize }).map(({ word }) => word);

/** Words are separated by spaces, as Kokoro gets them. */
const symbols = (text: string, normalize = true): string =>
  pronounceJapanese(wordsOf(text, normalize), "ja")
    .map(({ phonemes, after, joined }) => (joined === true ? "" : " ") + phonemes.join("") + after)
    .join("")
    .trim();

test("kana in Kokoro's symbols", () => {
  assert.equal(symbols("キャッチ"), "kʲaʔʨi");
  assert.equal(symbols("コーヒー"), "koːçiː");
  assert.equal(symbols("ふじ"), "ɸɯʥi");
});

test("ん takes the place of the sound after it", () => {
  assert.equal(symbols("さんぽ"), "sampo");
  assert.equal(symbols("りんご"), "ɾʲiŋɡo");
  assert.equal(symbols("みんな"), "mʲinna");
  assert.equal(symbols("ほん"), "hoɴ");
});

test("particles are spoken as such, words are separated, endings are not", () => {
  assert.equal(symbols("私は駅へ行きました。"), "βataɕi βa ekʲi e ikʲimaɕita.");
  assert.equal(symbols("本を読んでいます"), "hoɴ o jonde imasɨ");
});

test("numbers change sound with their counters", () => {
  const expected = {
    "3本": "samboɴ",
    "6本": "ɾoʔpoɴ",
    "8分": "haʔpɯɴ",
    "4時": "joʥi",
    "9月": "kɯɡaʦɨ",
    "1人": "çitoɾʲi",
    "4人": "joɲiɴ",
    "20日": "haʦɨka",
    "300円": "sambʲakɯeɴ",
    "8000個": "haʔseŋko",
    "1つ": "çitoʦɨ",
    "3階": "saŋɡai",
    "10回": "ʥɨʔkai",
    "2.5": "ɲiteŋɡo",
  };
  for (const [written, spoken] of Object.entries(expected)) assert.equal(symbols(written), spoken, written);
});

test("the first of a month, and ten minutes that are not enough", () => {
  assert.equal(symbols("5月1日"), "ɡoɡaʦɨ ʦɨitaʨi");
  assert.equal(symbols("1日中"), "iʨiɲiʨiʨɨː");
  assert.equal(symbols("10分です"), "ʥɨʔpɯɴ desɨ");
  assert.equal(symbols("十分です"), "ʥɨːbɯɴ desɨ");
});

test("the sounds of a word are divided among its characters", () => {
  const pronounced = pronounceJapanese(wordsOf("食べ物が"), "ja");
  assert.deepEqual(
    pronounced.map(({ phonemes }) => phonemes.join("")),
    ["ta", "be", "mono", "ɡa"],
  );
  assert.deepEqual(
    pronounced.map(({ joined }) => joined === true),
    [false, true, true, false],
  );
});

test("digits that were not read out are still spoken", () => {
  assert.equal(symbols("100円", false), "çakɯeɴ");
});

test("unknown words in katakana are read as written, unknown signs are silent", () => {
  assert.equal(symbols("スマホ"), "sɨmaho");
  assert.equal(symbols("𠀋"), "");
});
