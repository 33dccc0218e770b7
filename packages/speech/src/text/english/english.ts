import { joinTokens } from "../rules/join.ts";
import type { Language, Reader } from "../rules/reader.ts";
import { firstReading } from "../rules/rule.ts";
import type { Token } from "../tokens.ts";
import { ABBREVIATION_RULES } from "./abbreviations.ts";
import { CODE_RULES } from "./codes.ts";
import { hyphenated, readCompound } from "./compounds.ts";
import { DATE_RULES, YEAR_RULES } from "./dates.ts";
import { FORMULA_RULES } from "./formulas.ts";
import { INITIALISM_RULES } from "./initialisms.ts";
import { joinSign, MONEY_RULES } from "./money.ts";
import type { NumberStyle } from "./number-words.ts";
import { NUMBER_RULES, PLAIN_NUMBER_RULES } from "./numbers.ts";
import { PHONE_RULES } from "./phone.ts";
import { ROMAN_RULES } from "./roman.ts";
import { joinedNext, type Reading, type Rule } from "./rule.ts";
import { spell } from "./spelling.ts";
import { STATE_RULES } from "./states.ts";
import { STREET_RULES } from "./streets.ts";
import { POWER_RULES, SYMBOL_RULES } from "./symbols.ts";
import { TIME_RULES } from "./times.ts";
import { INCH_RULES, isUnit, UNIT_RULES } from "./units.ts";
import { WEB_RULES } from "./web.ts";

/** Years yield to units: "1500 km" is a distance. */
const YEARS: readonly Rule[] = YEAR_RULES.map(
  (rule) => (place) => (isUnit(joinedNext(place)) ? undefined : rule(place)),
);

/** The first rule that knows a token reads it: from the most special to the most general. */
const SIMPLE_RULES: readonly Rule[] = [
  ...STREET_RULES,
  ...ABBREVIATION_RULES,
  ...SYMBOL_RULES,
  ...FORMULA_RULES,
  ...PHONE_RULES,
  ...CODE_RULES,
  ...INCH_RULES,
  ...DATE_RULES,
  ...TIME_RULES,
  ...MONEY_RULES,
  ...YEARS,
  ...NUMBER_RULES,
  ...UNIT_RULES,
  ...POWER_RULES,
  ...PLAIN_NUMBER_RULES,
  ...ROMAN_RULES,
  ...STATE_RULES,
  ...INITIALISM_RULES,
  ...WEB_RULES,
];
const RULES: readonly Rule[] = [...SIMPLE_RULES, hyphenated(SIMPLE_RULES)];

const read = (tokens: readonly Token[], index: number, style: NumberStyle): Reading => {
  const place = { tokens, index, style };
  return firstReading(RULES, place) ?? [readCompound(place, SIMPLE_RULES)];
};

const readerIn = (style: NumberStyle): Reader => ({
  join: (tokens) => joinTokens(tokens, joinSign),
  read: (tokens, index) => read(tokens, index, style),
  spell,
});
const AMERICAN = readerIn({ british: false });
const BRITISH = readerIn({ british: true });

export const english: Language = {
  code: "en",
  reader: (tag) => (/^en-(?:gb|uk|au|nz|ie|za|in)/.test(tag) ? BRITISH : AMERICAN),
};
