import { cardNumberRules } from "../rules/card-numbers.ts";
import { joinedPrevious, type Place, type Rule, textAt, tokenAt, wordSet } from "../rules/rule.ts";
import { digitByDigit } from "./number-words.ts";

const MAX_GROUPS = 5;
const GROUP = /^\d{1,10}(?:-\d{2,8})*$/;

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** A group may follow directly or behind a bracket; a comma ends the number. */
const follows = (place: Place, offset: number): boolean => /^\)?$/.test(tokenAt(place, offset - 1)?.after ?? "!");

/** "+91 98765 43210", "(022) 411128", "0 (80) 26411128", "0120-2345678". */
const grouped: Rule = (place) => {
  const first = textAt(place, 0);
  const international = /^\+\d{1,3}(?:-\d{2,12})*$/.test(first);
  // "98765 43210": a mobile number in two halves.
  const mobile = /^[6-9]\d{4}$/.test(first) && /^\d{5}$/.test(textAt(place, 1)) && follows(place, 1);
  const area =
    mobile || /^0\d{0,5}$/.test(first) || (/^\d{2,5}$/.test(first) && /\($/.test(tokenAt(place, 0)?.before ?? ""));
  if (!international && !area) return undefined;
  let count = 1;
  let digits = digitsOf(first).length;
  while (count < MAX_GROUPS && GROUP.test(textAt(place, count)) && follows(place, count)) {
    digits += digitsOf(textAt(place, count)).length;
    count++;
  }
  if (digits < 8 || digits > 17) return undefined;
  return Array.from({ length: count }, (_, offset) => {
    const said = digitByDigit(digitsOf(textAt(place, offset)));
    return offset === 0 && international ? `प्लस ${said}` : said;
  });
};

/** A mobile number, or an area code and a number with a hyphen. */
const whole: Rule = (place) => {
  const text = textAt(place, 0);
  const mobile = /^[6-9]\d{9}$/.test(text) || /^[6-9]\d{4}-\d{5}$/.test(text);
  return mobile || /^\d{3,5}-\d{6,8}$/.test(text) || /^\+\d{8,15}$/.test(text) || /^1800-\d{3}-\d{4}$/.test(text)
    ? [`${text.startsWith("+") ? "प्लस " : ""}${digitByDigit(digitsOf(text))}`]
    : undefined;
};

const CALLING = wordSet("कॉल फ़ोन फोन मोबाइल टेलीफोन टेलीफ़ोन संपर्क हेल्पलाइन व्हाट्सएप");
const CODES = wordSet("अंक अंकों कोड ओटीपी OTP पिन PIN पासवर्ड पिनकोड");
const NEAR = 3;

const isNear = (place: Place, words: ReadonlySet<string>): boolean =>
  Array.from({ length: NEAR }, (_, index) => textAt(place, -1 - index)).some((text) => words.has(text));

/** "कॉल करो 1374 309988", "अंक 1234", "कोड 45021": digits because of the words before them. */
const announced: Rule = (place) => {
  const text = textAt(place, 0);
  if (!/^\d{3,8}$/.test(text)) return undefined;
  if (CODES.has(joinedPrevious(place)) || (CODES.has(textAt(place, -2)) && /^(?:है|था|-|:)$/.test(textAt(place, -1)))) {
    return [digitByDigit(text)];
  }
  if (!isNear(place, CALLING)) return undefined;
  const next = tokenAt(place, 0)?.after === "" ? textAt(place, 1) : "";
  return /^\d{4,8}$/.test(next) ? [digitByDigit(text), digitByDigit(next)] : [digitByDigit(text)];
};

export const PHONE_RULES: readonly Rule[] = [grouped, whole, ...cardNumberRules(digitByDigit), announced];
