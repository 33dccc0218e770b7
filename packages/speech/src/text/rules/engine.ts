import type { Token } from "../tokens.ts";
import { abbreviationRules } from "./abbreviations.ts";
import { addressRules, networkAddressRules } from "./addresses.ts";
import { cardNumberRules } from "./card-numbers.ts";
import { formulaRules, hyphenRules, initialismRules, readCompound } from "./compounds.ts";
import { dateRules } from "./dates.ts";
import { fractionRules } from "./fractions.ts";
import type { Grammar } from "./grammar.ts";
import { joinCurrency, joinGroups, joinTokens } from "./join.ts";
import { moneyRules, moneySigns } from "./money.ts";
import { numberRules, ordinalRules, rangeRules } from "./numbers.ts";
import { phoneRules } from "./phone.ts";
import type { Reader } from "./reader.ts";
import { romanRules } from "./roman.ts";
import { firstReading, type Rule } from "./rule.ts";
import { symbolRules } from "./symbols.ts";
import { sayClock, timeRules } from "./times.ts";
import { unitRules } from "./units.ts";
import { versionRules } from "./versions.ts";

/** The rules of a language, from the most special to the most general: the first that knows a token reads it. */
function rulesOf(grammar: Grammar): readonly Rule[] {
  const { numbers, symbols } = grammar;
  return [
    ...(grammar.special ?? []),
    ...abbreviationRules(grammar.abbreviations, numbers.nounGender),
    ...symbolRules(symbols, numbers),
    ...dateRules(grammar.dates, sayClock(grammar.times)),
    ...timeRules(grammar.times, numbers),
    ...networkAddressRules(grammar.addresses, numbers),
    ...versionRules(grammar.addresses, numbers),
    ...cardNumberRules(numbers.digits),
    ...phoneRules(grammar.phones, numbers),
    ...moneyRules(grammar.money, numbers, grammar.units),
    ...ordinalRules(grammar.ordinals),
    ...unitRules(grammar.units, numbers, grammar.fractions),
    ...fractionRules(grammar.fractions, numbers),
    ...rangeRules(numbers, symbols),
    ...numberRules(numbers, symbols),
    ...(grammar.roman === undefined
      ? []
      : romanRules(grammar.roman, { range: numbers.range, abbreviations: grammar.abbreviations })),
    ...addressRules(grammar.addresses, numbers),
    ...initialismRules(grammar),
  ];
}

/** The reader of a language that a grammar describes. */
export function readerFor(grammar: Grammar): Reader {
  const simple = rulesOf(grammar);
  const rules = [...simple, ...formulaRules(grammar.symbols.between, simple), ...hyphenRules(grammar, simple)];
  const signs = moneySigns(grammar.money, grammar.numbers, grammar.units);
  return {
    join: (tokens: readonly Token[]) =>
      joinTokens(joinTokens(tokens, joinGroups), (left, right) => joinCurrency(left, right, signs)),
    read: (tokens, index) => {
      const place = { tokens, index, style: undefined };
      return firstReading(rules, place) ?? [readCompound(place, grammar, simple)];
    },
  };
}
