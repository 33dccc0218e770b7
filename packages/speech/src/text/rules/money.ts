import type { Currency, MoneyWords, NumberWords, UnitWords } from "./grammar.ts";
import type { MoneySigns } from "./join.ts";
import { alone, joinedNext, joinedPrevious, type Rule, textAt } from "./rule.ts";
import { unitFinder } from "./units.ts";
import { isOne, parseNumber, sayNumber, type WrittenNumber } from "./written-number.ts";

const AMOUNT =
  /^([-–+~]?)([^\d\s.,~+–-]{0,5})(-?\d[\d.,\u2009]*)([^\d\s.,-]{0,6})(?:[-–]([^\d\s.,-]{0,5})(\d[\d.,]*)([^\d\s.,]{0,5}))?$/u;
const ROUND = /^[1-9]\d*0{6}$/;

const PER = /^(.*)\/(\p{L}{1,10})$/u;

export const currencyFinder =
  (words: MoneyWords) =>
  (sign: string): Currency | undefined =>
    sign === "" ? undefined : (words.currencies.get(sign) ?? words.currencies.get(sign.toLowerCase()));

/** "M€" of "5M€": the sign of a scale before that of the currency. */
function splitEnding(ending: string, isCurrency: (sign: string) => boolean, numbers: NumberWords): [string, string] {
  if (ending === "" || isCurrency(ending)) return ["", ending];
  // The longest sign that fits: "Md€" and not "M".
  const scales = [...numbers.scaleSigns.keys()].filter((sign) => ending.startsWith(sign));
  const scale = scales.reduce((longest, sign) => (sign.length > longest.length ? sign : longest), "");
  return [scale, ending.slice(scale.length)];
}

/** Behind a number a letter is a unit rather than a currency: "5 l". */
const afterFinder = (words: MoneyWords, units: UnitWords): ((sign: string) => Currency | undefined) => {
  const find = currencyFinder(words);
  return (sign) => (/^[a-zL]$/.test(sign) && units.units.has(sign) ? undefined : find(sign));
};

export function moneySigns(words: MoneyWords, numbers: NumberWords, units: UnitWords): MoneySigns {
  const [find, findAfter] = [currencyFinder(words), afterFinder(words, units)];
  const isAfter = (sign: string): boolean => findAfter(sign) !== undefined;
  return {
    before: (text) => find(text) !== undefined,
    after: (text) => isAfter(splitEnding(PER.exec(text)?.[1] ?? text, isAfter, numbers)[1]),
  };
}

/** "5,50 €", "US$ 3", "10–20 €", "€ 2 billones", "3 €/kg". Sign and amount are one token by now. */
export function moneyRules(words: MoneyWords, numbers: NumberWords, units: UnitWords): Rule[] {
  const [find, findAfter] = [currencyFinder(words), afterFinder(words, units)];
  const findUnit = unitFinder(units);

  const amount = (number: WrittenNumber, currency: Currency): string => {
    const { fraction, whole } = number;
    const cents = currency.cent !== undefined && fraction !== undefined && fraction.length <= 2;
    if (!cents) {
      const name = isOne(number) ? currency.one : currency.many;
      const said = sayNumber(numbers, number, currency.gender);
      return fraction === undefined && ROUND.test(whole) ? `${said} ${words.of(name)}` : `${said} ${name}`;
    }
    const sign = number.sign === "-" ? `${numbers.minus} ` : "";
    const parts = centsOf(fraction, currency);
    if (/^0+$/.test(whole) && parts !== "") return sign + parts;
    const main = amount({ ...number, sign: "", fraction: undefined }, currency);
    if (parts === "") return sign + main;
    return `${sign}${main} ${words.joint === "" ? "" : `${words.joint} `}${parts}`;
  };

  const centsOf = (fraction: string, { cent }: Currency): string => {
    const count = String(Number(fraction.padEnd(2, "0")));
    if (cent === undefined || count === "0") return "";
    return `${numbers.cardinal(count, cent.gender)} ${count === "1" ? cent.one : cent.many}`;
  };

  /** "2,50 €/kg", "$5/mes". */
  const rate: Rule = (place) => {
    const [, price = "", unit = ""] = PER.exec(textAt(place, 0)) ?? [];
    const said = price === "" ? undefined : rule(alone(price, undefined))?.[0];
    return said === undefined ? undefined : [`${said} ${units.per} ${findUnit(unit)?.one ?? unit}`];
  };

  const rule: Rule = (place) => {
    const match = AMOUNT.exec(textAt(place, 0));
    if (match === null) return undefined;
    const [, lead = "", before = "", first = "", ending = "", before2 = "", second, after2 = ""] = match;
    const [scale, after] = splitEnding(ending, (sign) => findAfter(sign) !== undefined, numbers);
    const currency = find(before) ?? findAfter(after) ?? findAfter(after2);
    const known = [before, after, before2, after2].every((sign) => sign === "" || find(sign) !== undefined);
    const number = parseNumber((lead === "-" || lead === "–" ? "-" : "") + first, numbers.decimalMark);
    const to = second === undefined ? undefined : parseNumber(second, numbers.decimalMark);
    if (currency === undefined || !known || number === undefined || (second !== undefined && to === undefined))
      return undefined;
    const start = to === undefined ? "" : `${rangeStart(number, currency, before2)} ${numbers.range} `;
    const last = to ?? number;
    const scaleWord = numbers.scaleSigns.get(scale)?.[isOne(last) ? 0 : 1];
    const scaled = start + sayNumber(numbers, last, "m");
    if (scaleWord !== undefined) return [`${scaled} ${scaleWord} ${ofAfter(scaleWord, currency)}`];
    const written = joinedNext(place);
    const next = numbers.scaleSigns.get(written)?.[1] ?? written;
    if (!numbers.scaleWords.test(written)) return [start + amount(last, currency)];
    // "3 mil millones".
    const further = joinedNext(place, 1);
    if (numbers.scaleWords.test(further)) return [scaled, next, `${further} ${ofAfter(further, currency)}`];
    return [scaled, `${next} ${ofAfter(next, currency)}`];
  };

  /** "10–20 €" names the currency once, "$10–$20" twice. */
  const rangeStart = (number: WrittenNumber, currency: Currency, sign: string): string =>
    sign === "" ? sayNumber(numbers, number, currency.gender) : amount(number, currency);

  /** A thousand counts directly: "cinco mil euros", but "cinco millones de euros". */
  const ofAfter = (scale: string, currency: Currency): string =>
    /^(?:mil|mille|mila|हज़ार|लाख|करोड़)$/i.test(scale) ? currency.many : words.of(currency.many);

  /** "2 millions $", and a sign without an amount. */
  const behindScale: Rule = (place) => {
    const text = textAt(place, 0);
    const currency = find(text);
    if (currency === undefined) return undefined;
    const previous = joinedPrevious(place);
    if (numbers.scaleWords.test(previous)) return [ofAfter(previous, currency)];
    return /^\p{Sc}$/u.test(text) ? [currency.many] : undefined;
  };

  return [rate, rule, behindScale];
}
