import { SIGN_FRACTIONS, slashed } from "./fractions.ts";
import type { FractionWords, Noun, NumberWords, UnitWords } from "./grammar.ts";
import { insideQuotation } from "./quotations.ts";
import { joinedNext, type Place, type Reading, type Rule, textAt, tokenAt } from "./rule.ts";
import { isOne, parseNumber, sayNumber } from "./written-number.ts";

const GLUED = /^([-–+~]?\d[\d.,\u2009]*)(?:[-–](\d[\d.,]*))?-?([^\d\s.,-][^\s,]{0,11})$/;
const PER_SEVERAL = /^(\p{L}{1,3})\/(\d{1,4})(\p{L}{1,3})?$/u;

/** A unit with its power and what it is divided by: "km/h", "m²", "g/cm³". */
export function unitFinder({ units, per, powers }: UnitWords): (symbol: string) => Noun | undefined {
  const simple = (symbol: string): Noun | undefined => {
    const plain = symbol.replaceAll("μ", "µ");
    const known = units.get(plain) ?? units.get(plain.replace(/\.$/, ""));
    if (known !== undefined) return known;
    const [, base = "", power = ""] = /^([a-zµ]{1,2})\^?([²³23])$/.exec(plain) ?? [];
    const unit = units.get(base);
    return unit === undefined ? undefined : powers[power === "2" ? "²" : power === "3" ? "³" : power]?.(unit);
  };
  return (symbol) => {
    const known = simple(symbol);
    if (known !== undefined) return known;
    const [top = "", bottom = "", ...rest] = symbol.split("/");
    const over = simple(top);
    const under = rest.length > 0 ? undefined : simple(bottom);
    return over === undefined || under === undefined
      ? undefined
      : { one: `${over.one} ${per} ${under.one}`, many: `${over.many} ${per} ${under.one}`, gender: over.gender };
  };
}

export function unitRules(words: UnitWords, numbers: NumberWords, fractions: FractionWords): Rule[] {
  const find = unitFinder(words);

  /** The unit at an offset: one token, or two for "° C". */
  const unitAt = (place: Place, offset: number): { unit: Noun; count: number } | undefined => {
    const first = joinedNext(place, offset - 1);
    const both = find(first + joinedNext(place, offset));
    if (/^°$/.test(first) && both !== undefined) return { unit: both, count: 2 };
    const unit = find(first);
    return unit === undefined ? undefined : { unit, count: 1 };
  };

  const said = (text: string, unit: Noun, to: string | undefined): readonly [string, string] | undefined => {
    const number = parseNumber(text, numbers.decimalMark);
    const end = to === undefined ? undefined : parseNumber(to, numbers.decimalMark);
    if (number === undefined || (to !== undefined && end === undefined)) return undefined;
    const range = end === undefined ? "" : ` ${numbers.range} ${sayNumber(numbers, end, unit.gender)}`;
    const name = end === undefined && isOne(number) ? unit.one : unit.many;
    return [sayNumber(numbers, number, unit.gender) + range, name];
  };

  /** "5kg", "20°C", "5-10mg", "-8°", "12/kg". */
  const glued: Rule = (place) => {
    const [, first = "", second, symbol = ""] = GLUED.exec(textAt(place, 0)) ?? [];
    if (first === "") return undefined;
    // "8° C": the rest of the sign is the next token.
    const next = symbol === "°" ? joinedNext(place) : "";
    const degrees = next === "" ? undefined : find(symbol + next);
    const rate = symbol.startsWith("/") ? find(symbol.slice(1)) : undefined;
    if (rate !== undefined) {
      const number = parseNumber(first, numbers.decimalMark);
      return number === undefined ? undefined : [`${sayNumber(numbers, number)} ${words.per} ${rate.one}`];
    }
    // "4K" is a resolution, and "10K" a number.
    const unit = degrees ?? (symbol === "K" ? undefined : find(symbol));
    const parts = unit === undefined ? undefined : said(first, unit, second);
    if (parts === undefined) return undefined;
    return degrees === undefined ? [parts.join(" ")] : [parts[0], parts[1]];
  };

  /** "5 kg", "10-12 km", "8 ° C". */
  const separate: Rule = (place) => {
    const text = textAt(place, 0);
    if (!/^[-–+]?\d/.test(text)) return undefined;
    const found = unitAt(place, 1);
    if (found === undefined) return undefined;
    const [, from = text, to] = /^(\d[\d.,]*)[-–](\d[\d.,]*)$/.exec(text) ?? [];
    const parts = said(from, found.unit, to);
    return parts === undefined ? undefined : [...parts, ...Array.from({ length: found.count - 1 }, () => "")];
  };

  /** "6 l/100 km": per several of the second unit. */
  const perSeveral: Rule = (place) => {
    const text = textAt(place, 0);
    if (!/^\d/.test(text)) return undefined;
    const [, top = "", count = "", glued = ""] = PER_SEVERAL.exec(joinedNext(place)) ?? [];
    const [over, under] = [find(top), find(glued === "" ? joinedNext(place, 1) : glued)];
    const parts = over === undefined ? undefined : said(text, over, undefined);
    if (parts === undefined || under === undefined) return undefined;
    const rate = `${parts[1]} ${words.perSeveral ?? words.per} ${numbers.cardinal(count, under.gender)} ${under.many}`;
    return glued === "" ? [parts[0], rate, ""] : [parts[0], rate];
  };

  /** "3/5 km", "½ kg", "1 1/2 m". */
  const parted: Rule = (place): Reading | undefined => {
    const whole = /^\d{1,4}$/.test(textAt(place, 0)) && slashed(joinedNext(place)) !== undefined ? 1 : 0;
    const text = whole === 1 ? joinedNext(place) : textAt(place, 0);
    const fraction = slashed(SIGN_FRACTIONS.get(text) ?? text);
    const unit = unitAt(place, 1 + whole)?.unit;
    if (fraction === undefined || unit === undefined) return undefined;
    const part = fractions.say(fraction.over, fraction.under);
    if (part === undefined) return undefined;
    if (whole === 1) return [fractions.mixed(textAt(place, 0), part), "", unit.many];
    const half = words.halfOf?.(unit);
    return fraction.over === "1" && fraction.under === "2" && half !== undefined
      ? [half, ""]
      : [part, words.ofUnit(unit)];
  };

  /** 55": inches, unless the sign closes a quotation. */
  const inches: Rule = (place) => {
    const unit = find("″");
    const text = textAt(place, 0);
    const marked = /^["”″]/.test(tokenAt(place, 0)?.after ?? "") && /^\d{1,3}(?:[.,]\d{1,2})?$/.test(text);
    if (unit === undefined || !marked || insideQuotation(place)) return undefined;
    const parts = said(text, unit, undefined);
    return parts === undefined ? undefined : [parts.join(" ")];
  };

  /** Units without a number: "en km/h". */
  const alone: Rule = (place) => {
    const symbol = textAt(place, 0);
    if (!/^(?:km|kg|cm|mm|[kMG]Hz|kWh|[KMGT]B|°[CF]|%|[a-zA-Zµ°]{1,3}\/[a-zµ]{1,3}[²³]?)$/.test(symbol))
      return undefined;
    const unit = find(symbol);
    return unit === undefined ? undefined : [unit.many];
  };
  return [perSeveral, parted, inches, glued, separate, alone];
}
