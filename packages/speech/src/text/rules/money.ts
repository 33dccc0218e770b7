import type { Currency, MoneyWords, NumberWords } from "./grammar.ts";
import { joinedNext, joinedPrevious, type Rule, textAt } from "./rule.ts";
import { isOne, parseNumber, sayNumber, type WrittenNumber } from "./written-number.ts";

const AMOUNT =
  /^([-–+~]?)([^\d\s.,~+–-]{0,5})(-?\d[\d.,\u2009]*)([^\d\s.,-]{0,6})(?:[-–]([^\d\s.,-]{0,5})(\d[\d.,]*)([^\d\s.,]{0,5}))?$/u;
const ROUND = /^[1-9]\d*0{6}$/;

export const currencyFinder =
  (words: MoneyWords) =>
  (sign: string): Currency | undefined =>
    sign === "" ? undefined : (words.currencies.get(sign) ?? words.currencies.get(sign.toLowerCase()));

/** "5,50 €", "US$ 3", "10–20 €", "€ 2 billones". Sign and amount are one token by now. */
export function moneyRules(words: MoneyWords, numbers: NumberWords): Rule[] {
  const find = currencyFinder(words);

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

  const rule: Rule = (place) => {
    const match = AMOUNT.exec(textAt(place, 0));
    if (match === null) return undefined;
    const [, lead = "", before = "", first = "", ending = "", before2 = "", second, after2 = ""] = match;
    const { scale, after } = splitEnding(ending);
    const currency = find(before) ?? find(after) ?? find(after2);
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

  /** "M€" of "5M€": the sign of a scale before that of the currency. */
  const splitEnding = (ending: string): { scale: string; after: string } => {
    if (ending === "" || find(ending) !== undefined) return { scale: "", after: ending };
    const scale = [...numbers.scaleSigns.keys()].find((sign) => ending.startsWith(sign)) ?? "";
    return { scale, after: ending.slice(scale.length) };
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

  return [rule, behindScale];
}
