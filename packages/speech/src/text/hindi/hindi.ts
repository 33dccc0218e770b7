import { formulaRules } from "../rules/compounds.ts";
import type { Language } from "../rules/reader.ts";
import { romanRules } from "../rules/roman.ts";
import { firstReading, type Rule, readPartOrNumbers, textAt } from "../rules/rule.ts";
import { versionRules } from "../rules/versions.ts";
import { ABBREVIATION_RULES } from "./abbreviations.ts";
import { ADDRESS_RULES } from "./addresses.ts";
import { DATE_RULES } from "./dates.ts";
import { MONEY_RULES } from "./money.ts";
import { cardinal } from "./number-words.ts";
import { FACTOR_RULES, FORMULA_SIGNS, NUMBER_RULES, ORDINAL_RULES, PLAIN_NUMBER_RULES } from "./numbers.ts";
import { PHONE_RULES } from "./phone.ts";
import { ROMAN_NUMERALS } from "./roman.ts";
import { TIME_RULES } from "./times.ts";
import { UNIT_RULES } from "./units.ts";
import { INITIAL_RULES, WEB_RULES } from "./web.ts";

/** The first rule that knows a token reads it: from the most special to the most general. */
const SIMPLE_RULES: readonly Rule[] = [
  ...ABBREVIATION_RULES,
  ...ORDINAL_RULES,
  ...romanRules(ROMAN_NUMERALS, { range: "से" }),
  ...PHONE_RULES,
  ...DATE_RULES,
  ...versionRules({ signs: { ".": "पॉइंट" }, version: "वर्शन" }, { cardinal }),
  ...TIME_RULES,
  ...ADDRESS_RULES,
  ...MONEY_RULES,
  ...FACTOR_RULES,
  ...UNIT_RULES,
  ...NUMBER_RULES,
  ...PLAIN_NUMBER_RULES,
  ...WEB_RULES,
  ...INITIAL_RULES,
];

const PARTS = /\d+(?:[.,]\d+)*|[^\d\s/-]+/g;

/** "कोविड-19", "जी20", "5जी": numbers inside a word are read by themselves. No number is silent. */
const compound: Rule = (place) => {
  const text = textAt(place, 0);
  if (!/\d/.test(text) && !(text.includes("/") && /\p{L}/u.test(text))) return undefined;
  const said = (text.match(PARTS) ?? []).map((part) => readPartOrNumbers(SIMPLE_RULES, part, place.style));
  return said.length === 0 ? undefined : [said.join(" ")];
};

const RULES: readonly Rule[] = [...SIMPLE_RULES, ...formulaRules(FORMULA_SIGNS, SIMPLE_RULES), compound];

export const hindi: Language = {
  code: "hi",
  reader: () => ({
    read: (tokens, index) => firstReading(RULES, { tokens, index, style: undefined }) ?? [tokens[index]?.text ?? ""],
  }),
};
