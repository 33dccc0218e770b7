import type { Currency } from "../rules/grammar.ts";
import { currencyFinder } from "../rules/money.ts";
import { alone, joinedNext, joinedPrevious, type Rule, textAt, tokenAt, wordSet } from "../rules/rule.ts";
import { CURRENCIES } from "./currencies.ts";
import { cardinal } from "./number-words.ts";
import { unitOf } from "./units.ts";
import { isOne, NUMBER, parseNumber, quantity, quarterQuantity, type WrittenNumber } from "./written-number.ts";

const currencyOf = currencyFinder({ currencies: CURRENCIES, joint: "", of: (name) => name });

const SIGN_CLASS = "(?:US|CA|[AC])?\\$|[€£¥₹₨₩₺৳₦₽₱₫฿₪₿]|Rs\\.?|रु\\.?";
const SCALE_WORDS = wordSet("सौ हज़ार हजार लाख करोड़ अरब खरब मिलियन बिलियन ट्रिलियन");
// Amounts may end in "/-", which means "only". Its hyphen is punctuation.
const BEFORE = new RegExp(`^([-–+]?)(${SIGN_CLASS})(${NUMBER})/?$`);
const RATE = /^(.+)\/(\p{L}[\p{L}\p{M}]{0,9})$/u;
const RANGE = new RegExp(`^(${SIGN_CLASS})(${NUMBER})[-–](?:${SIGN_CLASS})?(${NUMBER})$`);
const AFTER = new RegExp(`^([-–+]?(?:${NUMBER}))(${SIGN_CLASS}|[A-Z]{3})$`);

const named = (number: WrittenNumber, { one, many }: Currency): string => (isOne(number) ? one : many);

/** "एक सौ तेईस रुपए सत्तावन पैसे"; a fraction that is not two digits is read as a decimal. */
function amount(number: WrittenNumber, currency: Currency): string {
  const { fraction } = number;
  const { cent } = currency;
  if (fraction === undefined || cent === undefined || fraction.length !== 2) {
    return `${quantity(number)} ${named(number, currency)}`;
  }
  const parts = fraction === "00" ? "" : `${cardinal(fraction)} ${fraction === "01" ? cent.one : cent.many}`;
  if (parts !== "" && /^0+$/.test(number.whole)) return number.sign + parts;
  const whole = `${number.sign}${cardinal(number.whole)} ${number.whole === "1" ? currency.one : currency.many}`;
  return parts === "" ? whole : `${whole} ${parts}`;
}

const scaledNumber = (number: WrittenNumber): string => quarterQuantity(number) ?? quantity(number);

/** "₹500", "$3.5 मिलियन", "₹2-3 लाख", "-€5". */
const signBefore: Rule = (place) => {
  const text = textAt(place, 0);
  const range = RANGE.exec(text);
  const [, sign = "", symbol = "", digits = ""] =
    range === null ? (BEFORE.exec(text) ?? []) : ["", "", ...range.slice(1)];
  const currency = currencyOf(symbol.replace(/\.$/, ""));
  const number = parseNumber(sign + (range?.[3] ?? digits));
  const first = range === null ? undefined : parseNumber(range[2] ?? "");
  if (currency === undefined || number === undefined) return undefined;
  const start = first === undefined ? "" : `${quantity(first)} से `;
  const next = joinedNext(place);
  if (!SCALE_WORDS.has(next)) return [start + amount(number, currency)];
  // "₹5 लाख करोड़".
  const further = joinedNext(place, 1);
  const said = start + scaledNumber(number);
  return SCALE_WORDS.has(further) ? [said, next, `${further} ${currency.many}`] : [said, `${next} ${currency.many}`];
};

/** "₹50/kg", "₹500/माह". */
const rate: Rule = (place) => {
  const [, price = "", unit = ""] = RATE.exec(textAt(place, 0)) ?? [];
  const said = price === "" ? undefined : signBefore(alone(price, undefined))?.[0];
  return said === undefined ? undefined : [`${said} प्रति ${unitOf(unit)?.one ?? unit}`];
};

/** "500₹", "20 EUR", "5 $". */
const signAfter: Rule = (place) => {
  const text = textAt(place, 0);
  const glued = AFTER.exec(text);
  const currency = currencyOf(glued?.[2] ?? joinedNext(place));
  const number = parseNumber(glued?.[1] ?? text);
  if (currency === undefined || number === undefined) return undefined;
  return glued === null ? [amount(number, currency), ""] : [amount(number, currency)];
};

/** "Rs. 500", "रु 20", "USD 5 मिलियन". */
const nameBefore: Rule = (place) => {
  const currency = currencyOf(textAt(place, 0));
  const number = parseNumber(textAt(place, 1).replace(/\/$/, ""));
  if (currency === undefined || number === undefined || !/^\.?$/.test(tokenAt(place, 0)?.after ?? "!"))
    return undefined;
  const scale = joinedNext(place, 1);
  if (SCALE_WORDS.has(scale)) return ["", scaledNumber(number), `${scale} ${currency.many}`];
  return ["", amount(number, currency)];
};

/** "500/-": rupees, although nothing says so. */
const only: Rule = (place) => {
  const text = textAt(place, 0);
  const number =
    text.endsWith("/") && /^[-–]/.test(tokenAt(place, 0)?.after ?? "") ? parseNumber(text.slice(0, -1)) : undefined;
  const rupees = currencyOf("₹");
  return number === undefined || rupees === undefined ? undefined : [amount(number, rupees)];
};

/** "5 करोड़ ₹", "कुल रु. में": the sign by itself. Names in Latin letters are left as they are. */
const signAlone: Rule = (place) => {
  const text = textAt(place, 0);
  const currency = currencyOf(text);
  const isName = /^\p{Script=Devanagari}/u.test(text) || SCALE_WORDS.has(joinedPrevious(place));
  return currency !== undefined && isName ? [currency.many] : undefined;
};

export const MONEY_RULES: readonly Rule[] = [signBefore, rate, signAfter, nameBefore, only, signAlone];
