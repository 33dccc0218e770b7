import assert from "node:assert/strict";
import { test } from "node:test";
import { readSentence } from "../../text/read.ts";
import { pronounceChinese } from "./chinese.ts";
import { parseSyllable, symbolsOf } from "./syllables.ts";

/** Words are separated by spaces, sentences by punctuation, as Kokoro gets them. */
function symbols(text: string): string {
  const words = readSentence(text, 0, text.length, { language: "zh", normalize: true }).map(({ word }) => word);
  return pronounceChinese(words, "zh")
    .map(({ phonemes, after, joined }) => (joined === true ? "" : " ") + phonemes.join("") + after)
    .join("")
    .trim();
}
const syllable = (pinyin: string): string => {
  const parsed = parseSyllable(pinyin);
  return parsed === undefined ? "" : symbolsOf(parsed);
};

test("pinyin is spelled in Kokoro's symbols, the tone after the vowel", () => {
  const expected = {
    zhong1: "ꭧʊ→ŋ",
    guo2: "kwo↗",
    shi4: "ʂɨ↘",
    xie4: "ɕje↘",
    lv4: "ly↘",
    jun1: "ʨy→n",
    wen2: "wə↗n",
    you3: "jou↓",
    liu4: "ljou↘",
    gui4: "kwei↘",
    yuan2: "ɥɛ↗n",
    er4: "ɚ↘",
    bo1: "pwo→",
    de0: "tɤ",
    ng4: "ə↘n",
  };
  for (const [pinyin, written] of Object.entries(expected)) assert.equal(syllable(pinyin), written, pinyin);
});

test("characters are read as their word demands, simplified or traditional", () => {
  assert.equal(symbols("银行"), "i↗nxa↗ŋ");
  assert.equal(symbols("銀行"), "i↗nxa↗ŋ");
  assert.equal(symbols("长大"), "ꭧa↓ŋta↘");
  assert.equal(symbols("很长"), "xə↓n ꭧʰa↗ŋ");
});

test("the tones of 一 and 不 follow the next syllable, numbers keep theirs", () => {
  assert.equal(symbols("一定"), "i↗ti↘ŋ");
  assert.equal(symbols("一天"), "i↘tʰjɛ→n");
  assert.equal(symbols("第一"), "ti↘i→");
  assert.equal(symbols("一月"), "i→ɥe↘");
  assert.equal(symbols("不会"), "pu↗xwei↘");
  assert.equal(symbols("不好"), "pu↘xau↓");
});

test("a low tone before another one rises", () => {
  assert.equal(symbols("你好"), "ni↗xau↓");
  assert.equal(symbols("我很好"), "wo↓ xə↗nxau↓");
});

test("儿 colors the syllable before it, except in words for children", () => {
  assert.equal(symbols("玩儿"), "wa↗nɚ");
  assert.equal(symbols("女儿"), "ny↓ɚ↗");
});

test("numbers in digits are read, clauses end with punctuation, and every character has its symbols", () => {
  assert.equal(symbols("3点，走吧。"), "sa→n tjɛ↓n, ʦou↓ pa.");
  const digits = pronounceChinese([{ text: "12", from: 0, to: 2, after: "" }], "zh");
  assert.equal(digits[0]?.phonemes.join(""), "ʂɨ↗ɚ↘");
});
