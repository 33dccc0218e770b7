import { cardNumberRules } from "../rules/card-numbers.ts";
import { digitByDigit } from "./number-words.ts";
import { type Place, type Rule, textAt, tokenAt } from "./rule.ts";

const WHOLE = [
  /^\+?\d{1,3}[-.]\d{2,4}[-.]\d{3,4}[-.]\d{3,4}$/,
  /^\d{3}[-.]\d{3}[-.]\d{4}(?:-\d{1,5})?$/,
  /^\d{3}-\d{2}-\d{4}$/,
  /^\d{3}-\d{4}$/,
  /^\+\d{8,15}$/,
  /^\+\d{1,3}(?:-\d{2,5}){2,4}$/,
];
/** Letters and groups of digits, at least one of them letters. */
const VANITY = /^(1-)?(8\d{2}|900)-((?=[\dA-Z-]*[A-Z]{2})[\dA-Z]{1,9}(?:-[\dA-Z]{1,8}){0,3})$/;
const MAX_GROUPS = 6;

/** "800" and "900" are said as hundreds where an area code is. */
const areaCode = (area: string): string =>
  /^[89]00$/.test(area) ? `${digitByDigit(area.charAt(0))} hundred` : digitByDigit(area);

function groups(text: string): string {
  const parts = text.split(/[-.]/).filter((part) => part !== "");
  const area = parts.length - 3;
  return parts.map((part, at) => (at === area ? areaCode(part) : digitByDigit(part))).join(", ");
}

/** "555-0123", "+1-202-555-0143", "1-800-FLOWERS". */
const oneToken: Rule = (place) => {
  const text = textAt(place, 0);
  const vanity = VANITY.exec(text);
  if (vanity !== null) {
    const [, lead, area = "", name = ""] = vanity;
    const rest = name.split("-").map((part) => (/\d/.test(part) ? digitByDigit(part) : part.toLowerCase()));
    return [`${lead === undefined ? "" : "one "}${areaCode(area)}, ${rest.join(" ")}`];
  }
  if (!WHOLE.some((pattern) => pattern.test(text))) return undefined;
  return [`${text.startsWith("+") ? "plus " : ""}${groups(text.replace("+", ""))}`];
};

/** "(202) 555-0143", "+44 20 7946 0958", "+1 (202) 555-0143". */
const severalTokens: Rule = (place) => {
  const first = textAt(place, 0);
  const international = /^\+\d{1,3}$/.test(first);
  const area =
    /^\d{3}$/.test(first) && isParenthesised(place, 0) && /^\d{3}[-. ]?\d{4}$|^\d{3}$/.test(textAt(place, 1));
  // "(123)-456-7890" is one token.
  const [, bracketed, rest] = /^(\d{3})\)?-(\d{3}-\d{4})$/.exec(first) ?? [];
  if (bracketed !== undefined && rest !== undefined && /\($/.test(tokenAt(place, 0)?.before ?? ""))
    return [groups(`${bracketed}-${rest}`)];
  // "0800 123 4567".
  const national = /^0\d{2,4}$/.test(first) && /^\d{3,4}$/.test(textAt(place, 1)) && joins(place, 1);
  // "555 555 5555", with the 1 of long distance or without.
  const lead = first === "1" ? 1 : 0;
  const spaced = [/^\d{3}$/, /^\d{3}$/, /^\d{4}$/].every(
    (pattern, at) => pattern.test(textAt(place, lead + at)) && (lead + at === 0 || joins(place, lead + at)),
  );
  if (!international && !area && !spaced && !national) return undefined;
  let count = 1;
  let digits = first.replace(/\D/g, "").length;
  while (count < MAX_GROUPS && /^\d{2,5}(?:[-.]\d{2,4})*$/.test(textAt(place, count)) && joins(place, count)) {
    digits += textAt(place, count).replace(/\D/g, "").length;
    count++;
  }
  if (digits < 7 || digits > 15) return undefined;
  const areaAt = area ? 0 : spaced ? lead : -1;
  return Array.from({ length: count }, (_, offset) => {
    const text = textAt(place, offset).replace("+", "");
    const said = offset === areaAt ? areaCode(text) : groups(text);
    return `${offset === 0 && international ? "plus " : ""}${said}${offset < count - 1 ? "," : ""}`;
  });
};

const isParenthesised = (place: Place, offset: number): boolean =>
  /\($/.test(tokenAt(place, offset)?.before ?? "") && tokenAt(place, offset)?.after === ")";

const joins = (place: Place, offset: number): boolean =>
  tokenAt(place, offset - 1)?.after === "" ||
  (tokenAt(place, offset - 1)?.after === ")" && isParenthesised(place, offset - 1));

/** "x12" after a telephone number. */
const extension: Rule = (place) => {
  const [, digits = ""] = /^x(\d{1,6})$/i.exec(textAt(place, 0)) ?? [];
  return digits !== "" && /^\+?[\d.-]*\d{3}[-.]?\d{4}$/.test(textAt(place, -1))
    ? [`extension ${digitByDigit(digits)}`]
    : undefined;
};

export const PHONE_RULES: readonly Rule[] = [oneToken, ...cardNumberRules(digitByDigit), severalTokens, extension];
