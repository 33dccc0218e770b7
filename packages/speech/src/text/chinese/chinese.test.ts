import assert from "node:assert/strict";
import { test } from "node:test";
import { readSentence } from "../read.ts";

const spoken = (text: string): string =>
  readSentence(text, 0, text.length, { language: "zh", normalize: true })
    .map(({ word }) => word.text)
    .join("");

const says = (cases: Readonly<Record<string, string>>): void => {
  for (const [written, expected] of Object.entries(cases)) assert.equal(spoken(written), expected, written);
};

test("whole numbers in groups of four digits, with 零 for the zeros between", () => {
  says({
    "7": "七",
    "14人": "十四人",
    "305": "三百零五",
    "2600": "两千六百",
    "30,208": "三万零二百零八",
    "700012": "七十万零一十二",
    "40003000": "四千万三千",
    "200000000": "两亿",
    "-12": "负十二",
    "007": "零零七",
  });
});

test("decimals, percentages and fractions", () => {
  says({
    "3.14": "三点一四",
    "12.5%": "百分之十二点五",
    "-7%": "负百分之七",
    "2/5": "五分之二",
    "5%-8%": "百分之五到百分之八",
  });
});

test("years are said digit by digit, counts of years as numbers", () => {
  says({
    "1997年7月1日": "一九九七年七月一日",
    "08年奥运会": "零八年奥运会",
    "90年代": "九零年代",
    他住了30年: "他住了三十年",
    近20年来: "近二十年来",
    "5000年的历史": "五千年的历史",
    公元前221年: "公元前二二一年",
    "2021-03-09": "二零二一年三月九日",
    "476AD": "公元四七六年",
  });
});

test("times and scores", () => {
  says({
    "8:05": "八点五分",
    "14：30": "十四点三十分",
    "9:00": "九点整",
    "23:59:58": "二十三点五十九分五十八秒",
    "比分3:1": "比分三比一",
  });
});

test("money and units", () => {
  says({
    "¥25.5": "二十五点五元",
    $3亿: "三亿美元",
    "€80": "八十欧元",
    "70kg": "七十千克",
    "5 km": "五公里",
    "-3°C": "负三摄氏度",
    "90m²": "九十平方米",
    "3-5天": "三到五天",
  });
});

test("2 is 两 before what is counted", () => {
  says({ "2个": "两个", "2小时": "两小时", 第2个: "第二个", "2月": "二月", "12个": "十二个" });
});

test("telephone numbers are said digit by digit", () => {
  says({ "13912345678": "一三九一二三四五六七八", "010-62345678": "零一零六二三四五六七八" });
});

test("Latin words are read as in English, and letters beside digits are kept", () => {
  says({ 看NBA比赛: "看N.B.A比赛", "5G手机": "五G手机", A4纸: "A四纸" });
});

test("the words of a sentence are joined, so that it is not split inside one", () => {
  const words = readSentence("我们喜欢北京", 0, 6, { language: "zh", normalize: true });
  assert.deepEqual(
    words.map(({ joined }) => joined),
    [false, true, false, true, false, true],
  );
});

test("versions, addresses, formulas and codes", () => {
  says({
    "v2.3.1": "版本二点三点一",
    "10.0.0.7:80": "一零点零点零点七冒号八零",
    "3+4=7": "三加四等于七",
    "x²": "X的平方",
    "2x": "两倍",
    "¼": "四分之一",
    "50-60%": "百分之五十到六十",
    "¥50/kg": "五十元每千克",
    "+86 10 1234 5678": "八六一零一二三四五六七八",
    邮编100081: "邮编一零零零八一",
    航班CA1234: "航班C.A一二三四",
    "112-108": "一百一十二比一百零八",
  });
});
