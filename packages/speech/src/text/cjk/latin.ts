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

/** From this many digits on, a number behind letters is a code: "CA1234". */
const CODE = /^\d{4,}$/;

/**
 * The parts of a compound such as "5G", "COVID-19" and "A4": numbers by `readNumber`, codes digit by digit, letters as in
 * English.
 */
export function compoundRule(readNumber: (digits: string) => string, digitByDigit: (digits: string) => string): Rule {
  return (place) => {
    const text = textAt(place, 0);
    if (!/\d/.test(text)) return undefined;
    const parts = text.match(/\d+(?:\.\d+)?|[\p{Script=Latin}\p{M}']+/gu) ?? [];
    const said = (part: string, at: number): string =>
      at > 0 && CODE.test(part) && /^\p{Lu}+$/u.test(parts[at - 1] ?? "") ? digitByDigit(part) : readNumber(part);
    return [parts.map((part, at) => (/^\d/.test(part) ? said(part, at) : lettersOf(part))).join(" ")];
  };
}

/** A part of letters: an initialism unless it looks like a word. */
const lettersOf = (letters: string): string =>
  letters.length <= 3 && letters === letters.toUpperCase() ? [...letters].join(".") : letters;
