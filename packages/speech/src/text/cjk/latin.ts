import { english } from "../english/english.ts";
import type { Rule } from "../rules/rule.ts";
import { textAt } from "../rules/rule.ts";

const reader = english.reader("en-us");
const WORD = /^[\p{Script=Latin}\p{M}][\p{Script=Latin}\p{M}'.&/+-]*$/u;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)|@/i;

/** Latin words and addresses are read in English. */
export const latinRule: Rule = (place) => {
  const text = textAt(place, 0);
  return WORD.test(text) || ADDRESS.test(text) ? reader.read(place.tokens, place.index).slice(0, 1) : undefined;
};

/** The parts of a compound such as "5G", "COVID-19" and "A4": digits by `readDigits`, letters as in English. */
export function compoundRule(readDigits: (digits: string) => string): Rule {
  return (place) => {
    const text = textAt(place, 0);
    if (!/\d/.test(text)) return undefined;
    const parts = text.match(/\d+(?:\.\d+)?|[\p{Script=Latin}\p{M}']+/gu) ?? [];
    return [parts.map((part) => (/^\d/.test(part) ? readDigits(part) : lettersOf(part))).join(" ")];
  };
}

/** A part of letters: an initialism unless it looks like a word. */
const lettersOf = (letters: string): string =>
  letters.length <= 3 && letters === letters.toUpperCase() ? [...letters].join(".") : letters;
