import { NUMBER } from "../cjk/groups.ts";
import { compoundRule, latinRule } from "../cjk/latin.ts";
import { following, pairs, preceding, WAVE } from "../cjk/phrases.ts";
import { characterReader } from "../cjk/reader.ts";
import { technicalRules } from "../cjk/technical.ts";
import type { Language } from "../rules/reader.ts";
import { type Rule, textAt } from "../rules/rule.ts";
import { AMOUNT_RULES } from "./amounts.ts";
import { DATE_RULES } from "./dates.ts";
import { digitByDigit, readNumber } from "./number-words.ts";

/** 2 is 两 before what is counted. */
const COUNTED =
  /^(?:[个個只隻条條张張本件块塊天次周倍家位杯瓶种種台辆輛座棵头頭匹点點年人名]|小时|小時|分钟|分鐘|公斤|公里|米|千克|克|升|吨|噸|万|萬|亿|億|千)/u;

const WHOLE = new RegExp(`^([-+−]?)(${NUMBER})$`);

const numberRule: Rule = (place) => {
  const [, mark = "", amount = ""] = WHOLE.exec(textAt(place, 0)) ?? [];
  if (amount === "") return undefined;
  if (amount === "2" && COUNTED.test(following(place, 1, 2)) && !/第$/.test(preceding(place, 1))) return ["两"];
  return [(mark === "" ? "" : mark === "+" ? "正" : "负") + readNumber(amount)];
};

const SIGNS = pairs("+ 加 = 等于 == 等于 × 乘以 * 乘以 ÷ 除以 < 小于 > 大于 & 和 % 百分号 〇 零 ℃ 摄氏度 √ 根号");

const signRule: Rule = (place) => {
  const text = textAt(place, 0);
  const said = SIGNS.get(text);
  if (said !== undefined) return [said];
  // A dash between two numbers that other words separate: 3月〜5月.
  return WAVE.test(text) ? [/[\d\p{Script=Han}]$/u.test(preceding(place, 1)) ? "到" : ""] : undefined;
};

/** A root stands before its number. */
const ROOT = new RegExp(`^([-−]?)√(${NUMBER})$`);

const rootRule: Rule = (place) => {
  const [, mark = "", amount = ""] = ROOT.exec(textAt(place, 0)) ?? [];
  return amount === "" ? undefined : [`${mark === "" ? "" : "负"}根号${readNumber(amount)}`];
};

const OPERATORS = pairs("+ 加 - 减 * 乘以 × 乘以 ÷ 除以 = 等于 < 小于 > 大于");

const TECHNICAL_RULES = technicalRules({
  number: readNumber,
  digits: digitByDigit,
  fraction: (top, bottom) => `${readNumber(bottom)}分之${readNumber(top)}`,
  dot: "点",
  colon: "冒号",
  point: "点",
  version: "版本",
  factor: (written) => `${written === "2" ? "两" : readNumber(written)}倍`,
  plus: "",
  signs: OPERATORS,
  powers: { "²": "的平方", "³": "的立方" },
});

const NUMBERED =
  /(?:房间号|房号|门牌号|编号|卡号|账号|帐号|学号|工号|车牌号|手机号|电话|尾号|邮编|密码|验证码|号码|代码|航班)(?:是|为|：)?$/u;

/** 邮编100081, 房间号302: digit by digit. */
const codeRule: Rule = (place) => {
  const text = textAt(place, 0);
  return /^\d{3,12}$/.test(text) && NUMBERED.test(preceding(place, 5)) ? [digitByDigit(text)] : undefined;
};

const RULES: readonly Rule[] = [
  signRule,
  rootRule,
  codeRule,
  ...TECHNICAL_RULES,
  ...DATE_RULES,
  ...AMOUNT_RULES,
  numberRule,
  latinRule,
  compoundRule(readNumber, digitByDigit),
];

const reader = characterReader(RULES);

export const chinese: Language = { code: "zh", reader: () => reader };
