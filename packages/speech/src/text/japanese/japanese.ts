import { compoundRule, latinRule } from "../cjk/latin.ts";
import { pairs, WAVE } from "../cjk/phrases.ts";
import { characterReader } from "../cjk/reader.ts";
import type { Language } from "../rules/reader.ts";
import { type Rule, textAt, tokenAt } from "../rules/rule.ts";
import { AMOUNT_RULES } from "./amounts.ts";
import { DATE_RULES } from "./dates.ts";
import { readNumber } from "./number-words.ts";

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

const RULES: readonly Rule[] = [signRule, ...DATE_RULES, ...AMOUNT_RULES, latinRule, compoundRule(readNumber)];
const reader = characterReader(RULES);

export const japanese: Language = { code: "ja", reader: () => reader };
