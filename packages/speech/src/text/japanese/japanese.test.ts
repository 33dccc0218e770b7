import assert from "node:assert/strict";
import { test } from "node:test";
import { planChunks } from "../chunks.ts";
import { readSentence } from "../read.ts";

const spoken = (text: string): string =>
  readSentence(text, 0, text.length, { language: "ja", normalize: true })
    .map(({ word }) => word.text)
    .join("");

const says = (cases: Readonly<Record<string, string>>): void => {
  for (const [written, expected] of Object.entries(cases)) assert.equal(spoken(written), expected, written);
};

test("whole numbers, with 一 only where it is said", () => {
  says({
    "0": "零",
    "18人": "十八人",
    "1,600円": "千六百円",
    "11111": "一万千百十一",
    "10000000": "一千万",
    "２５個": "二十五個",
    "-4": "マイナス四",
  });
});

test("decimals, percentages, fractions and roots", () => {
  says({
    "3.05": "三点零五",
    "8.5%": "八点五パーセント",
    "2/3": "三分の二",
    "2 3/4": "二と四分の三",
    "√2": "ルート二",
  });
});

test("dates, eras and days of the week", () => {
  says({
    "2025/6/7": "二千二十五年六月七日",
    "7/4": "七月四日",
    "H12.3.4": "平成十二年三月四日",
    S45年: "昭和四十五年",
    "3日(月)": "三日月曜日",
    二〇二六年: "二千二十六年",
    "5月〜7月": "五月から七月",
  });
});

test("times and scores", () => {
  says({ "9:30": "九時三十分", "18：00": "十八時", "7pm": "午後七時", "2:1で勝つ": "二対一で勝つ" });
});

test("money and units", () => {
  says({
    "¥2,980": "二千九百八十円",
    "$3.5億": "三点五億ドル",
    "60kg": "六十キログラム",
    "5 km": "五キロメートル",
    "-2℃": "マイナス二度",
    "10-15分": "十から十五分",
  });
});

test("telephone numbers are said digit by digit", () => {
  says({ "06-1234-5678": "ゼロ六の一二三四の五六七八" });
});

test("a wave dash after a word is silent", () => {
  says({ "ですよ〜": "ですよ" });
});

test("a quotation inside a sentence does not end it", () => {
  const options = { latency: "normal", chunkLength: 100, minChunkLength: 0, normalize: true } as const;
  const text = "「はい。」と言った。次の文です。";
  const [first] = [...planChunks(text, { ...options, languageOf: () => "ja" })];
  assert.equal(first?.words.map(({ text: word, after }) => word + after).join(""), "はい,と言った.次の文です.");
});

test("a long text without spaces is split between words", () => {
  const options = { latency: "balanced", chunkLength: 100, minChunkLength: 0, normalize: true } as const;
  const text = "東京大学の研究者たちは新しい材料の性質を詳しく調べる実験を何度も繰り返しながら記録を残している".repeat(
    3,
  );
  const chunks = [...planChunks(text, { ...options, languageOf: () => "ja" })];
  assert.ok(chunks.length > 3);
  assert.equal(chunks.map((chunk) => chunk.text).join(""), text);
  // No chunk starts with a particle or an ending.
  for (const chunk of chunks.slice(1)) assert.match(chunk.text, /^[\p{Script=Han}\p{Script=Katakana}]/u, chunk.text);
});

test("versions, addresses, formulas and blocks of a town", () => {
  says({
    "v2.3.1": "バージョン二点三点一",
    "10.0.0.7": "一ゼロドットゼロドットゼロドット七",
    "3+4=7": "三プラス四イコール七",
    "2x": "二倍",
    "½": "二分の一",
    "50-60%": "五十から六十パーセント",
    "¥50/kg": "キログラムあたり五十円",
    "3-2で": "三対二で",
    "2-3-1": "二の三の一",
    "〒100-0001": "郵便番号一ゼロゼロのゼロゼロゼロ一",
  });
});
