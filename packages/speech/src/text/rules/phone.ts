import type { NumberWords, PhoneWords } from "./grammar.ts";
import { type Place, type Rule, textAt, tokenAt } from "./rule.ts";

const WHOLE = [
  /^\+?\d{1,3}(?:[-.]\d{2,5}){2,4}$/,
  /^\d{2,4}-\d{3,5}-\d{3,4}(?:-\d{1,4})?$/,
  /^\d{3}-\d{4}$/,
  /^\d{4,5}-\d{4}$/,
  /^\+\d{8,15}$/,
];
const GROUP = /^\d{1,10}(?:[-.]\d{2,5})*$/;
const MAX_GROUPS = 7;

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** Telephone numbers, digit by digit with a pause between groups. */
export function phoneRules(words: PhoneWords, numbers: NumberWords): Rule[] {
  const groups = (text: string): string =>
    text
      .split(/[-.+\u2009()]/)
      .filter((part) => part !== "")
      .map((part) => (/\d/.test(part) ? (words.group ?? numbers.digits)(part) : part))
      .join(", ");
  const sayGroup = (text: string): string => `${text.startsWith("+") ? `${numbers.plus} ` : ""}${groups(text)}`;

  const oneToken: Rule = (place) => {
    const text = textAt(place, 0);
    if (words.spaced.test(text.replaceAll("\u2009", " "))) return [groups(text)];
    const length = digitsOf(text).length;
    const years = /^(?:1\d{3}|20\d{2})-(?:1\d{3}|20\d{2})$/.test(text);
    if (years || length < 7 || length > 16 || !WHOLE.some((pattern) => pattern.test(text))) return undefined;
    // "30-12-1990" and "1990-12-30" are dates, "1.234.567" is a number.
    if (/^(?:\d{1,2}([-.])\d{1,2}\1\d{4}|\d{4}([-.])\d{1,2}\2\d{1,2}|\d{1,3}(?:\.\d{3})+)$/.test(text))
      return undefined;
    return [sayGroup(text)];
  };

  /** "+34 612 345 678", "(11) 99999-8888". */
  const severalTokens: Rule = (place) => {
    const first = textAt(place, 0);
    const international = /^\+\d{1,3}(?:[-.]\d{2,5})*$/.test(first);
    const area = /^\d{2,5}$/.test(first) && isParenthesized(place, 0);
    const run = runLength(place);
    const texts = Array.from({ length: run }, (_, offset) => textAt(place, offset).replaceAll("\u2009", " "));
    const local = !international && !area && words.spaced.test(texts.join(" "));
    const length = digitsOf(texts.join("")).length;
    if (run < 2 || !(international || area || local) || length < 7 || length > 17) return undefined;
    return texts.map((text, offset) => `${sayGroup(text.replaceAll(" ", "-"))}${offset < run - 1 ? "," : ""}`);
  };

  /** "ext. 12" after a telephone number. */
  const extension: Rule = (place) => {
    const next = textAt(place, 1);
    if (!words.extensionSigns.has(textAt(place, 0).toLowerCase()) || !/^\d{1,6}$/.test(next)) return undefined;
    return /^\.?$/.test(tokenAt(place, 0)?.after ?? "!") ? [words.extension, numbers.digits(next)] : undefined;
  };
  return [oneToken, severalTokens, extension];
}

/** How many tokens from here on may be groups of one telephone number. */
function runLength(place: Place): number {
  let count = 1;
  while (count < MAX_GROUPS && GROUP.test(textAt(place, count).replaceAll("\u2009", "-")) && joins(place, count))
    count++;
  return count;
}

const isParenthesized = (place: Place, offset: number): boolean =>
  /\($/.test(tokenAt(place, offset)?.before ?? "") && tokenAt(place, offset)?.after === ")";

const joins = (place: Place, offset: number): boolean =>
  tokenAt(place, offset - 1)?.after === "" ||
  (tokenAt(place, offset - 1)?.after === ")" && isParenthesized(place, offset - 1));
