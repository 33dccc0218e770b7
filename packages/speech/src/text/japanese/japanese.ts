import { compoundRule, latinRule } from "../cjk/latin.ts";
import { pairs, WAVE } from "../cjk/phrases.ts";
import { characterReader } from "../cjk/reader.ts";
import { technicalRules } from "../cjk/technical.ts";
import type { Language } from "../rules/reader.ts";
import { type Rule, textAt, tokenAt } from "../rules/rule.ts";
import { AMOUNT_RULES } from "./amounts.ts";
import { DATE_RULES } from "./dates.ts";
import { digitByDigit, readNumber } from "./number-words.ts";

const SIGNS = pairs(
  "+ プラス = イコール == イコール × かける * かける ÷ わる < 小なり > 大なり & アンド % パーセント 〇 ゼロ ℃ 度 √ ルート 〒 郵便番号",
);

const signRule: Rule = (place) => {
  const text = textAt(place, 0);
  const said = SIGNS.get(text);
  if (said !== undefined) return [said];
  if (!WAVE.test(text)) return undefined;
  // Between two things it means "from … to"; after a word it only lengthens it.
  const counted = /^\d|^[\p{Script=Han}]/u;
  const ranged = /[\d\p{Script=Han}]$/u.test(textAt(place, -1)) && counted.test(textAt(place, 1));
  return [ranged && tokenAt(place, 1) !== undefined ? "から" : ""];
};

const TECHNICAL_RULES = technicalRules({
  number: readNumber,
  digits: digitByDigit,
  fraction: (top, bottom) => `${readNumber(bottom)}分の${readNumber(top)}`,
  dot: "ドット",
  colon: "コロン",
  point: "点",
  version: "バージョン",
  factor: (written) => `${readNumber(written)}倍`,
  plus: "プラス",
  signs: pairs("+ プラス - マイナス * かける × かける ÷ わる = イコール < 小なり > 大なり"),
  powers: { "²": "の二乗", "³": "の三乗" },
});

const RULES: readonly Rule[] = [
  signRule,
  ...TECHNICAL_RULES,
  ...DATE_RULES,
  ...AMOUNT_RULES,
  latinRule,
  compoundRule(readNumber, digitByDigit),
];
const reader = characterReader(RULES);

export const japanese: Language = { code: "ja", reader: () => reader };
