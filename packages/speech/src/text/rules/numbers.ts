import type { NumberWords, OrdinalWords, SymbolWords } from "./grammar.ts";
import { joinedNext, joinedPrevious, type Place, type Rule, textAt } from "./rule.ts";
import { isOne, parseNumber, sayNumber } from "./written-number.ts";

/** "1.º", "2ª", "3er". */
export function ordinalRules(words: OrdinalWords): Rule[] {
  const rule: Rule = (place) => {
    const match = words.pattern.exec(textAt(place, 0));
    if (match?.[2] === "°" && isDegree(place, words)) return undefined;
    const said = match === null ? undefined : words.say((match[1] ?? "").replace(/\D/g, ""), match[2] ?? "");
    return said === undefined ? undefined : [said];
  };
  return [rule];
}

const DEGREES = /^(?:[CFNSEOcf]|Celsius|Fahrenheit|nort[eh]|sur|sul|este|leste|oeste)$/;

/** "a 35°" with no noun behind it. */
const isDegree = (place: Place, words: OrdinalWords): boolean =>
  DEGREES.test(joinedNext(place)) ||
  (words.beforeDegrees?.test(joinedPrevious(place)) === true && !/^\p{Ll}{3,}/u.test(joinedNext(place)));

const RANGE = /^([~]?)(\d[\d.,]*)[-–](\d[\d.,]*)(%?)$/;

/** "10–12", "3 - 5", "50-60%". */
export function rangeRules(words: NumberWords, symbols: SymbolWords): Rule[] {
  const glued: Rule = (place) => {
    const [, lead = "", first = "", second = "", percent = ""] = RANGE.exec(textAt(place, 0)) ?? [];
    const [from, to] = [first, second].map((text) => parseNumber(text, words.decimalMark));
    if (from === undefined || to === undefined) return undefined;
    // "01310-100" is a code.
    if (/^0\d/.test(first)) return [`${words.digits(first)}, ${words.digits(second)}`];
    const start = symbols.leads.has(lead) ? `${symbols.leads.get(lead)} ` : "";
    const end = percent === "" ? "" : ` ${symbols.always.get("%") ?? ""}`;
    return [`${start}${sayNumber(words, from)} ${words.range} ${sayNumber(words, to)}${end}`];
  };
  return [glued];
}

const SCALED = /^([-–+]?\d[\d.,]*)(\p{L}{1,3})$/u;

/** "3M", "10k", and any number: "-3,5", "~20", "50+". */
export function numberRules(words: NumberWords, symbols: SymbolWords): Rule[] {
  const scaled: Rule = (place) => {
    const [, digits = "", sign = ""] = SCALED.exec(textAt(place, 0)) ?? [];
    const scale = words.scaleSigns.get(sign);
    const number = scale === undefined ? undefined : parseNumber(digits, words.decimalMark);
    if (scale === undefined || number === undefined) return undefined;
    return [`${sayNumber(words, number, "m")} ${scale[isOne(number) ? 0 : 1]}`];
  };

  /** "3x". */
  const times: Rule = (place) => {
    const [, digits = ""] = /^(\d[\d.,]*)[x×]$/i.exec(textAt(place, 0)) ?? [];
    const number = digits === "" ? undefined : parseNumber(digits, words.decimalMark);
    if (number === undefined) return undefined;
    const { one, many, gender } = words.times;
    return [`${sayNumber(words, number, gender)} ${isOne(number) ? one : many}`];
  };

  /** "4K": a resolution. */
  const resolution: Rule = (place) => {
    const [, digits = ""] = /^([248])K$/.exec(textAt(place, 0)) ?? [];
    return digits === "" ? undefined : [`${words.cardinal(digits)} K`];
  };

  const plain: Rule = (place) => {
    const [, lead = "", body = "", plus = ""] = /^([~≈<>≤≥±]|<=|>=)?([^~≈<>≤≥±]*\d)(\+)?$/.exec(textAt(place, 0)) ?? [];
    const number = body === "" ? undefined : parseNumber(body, words.decimalMark);
    if (number === undefined) return undefined;
    const next = plus === "" ? joinedNext(place) : "";
    const scaleNext = words.scaleWords.test(next);
    const gender = scaleNext ? "m" : next === "" ? undefined : words.nounGender?.(next, !isOne(number));
    const start = symbols.leads.has(lead) ? `${symbols.leads.get(lead)} ` : "";
    const said = `${start}${sayNumber(words, number, gender)}${plus === "" ? "" : ` ${words.plus}`}`;
    // "3 bi": a short form of the scale.
    const scale = scaleNext ? words.scaleSigns.get(next)?.[isOne(number) ? 0 : 1] : undefined;
    return scale === undefined ? [said] : [said, scale];
  };
  return [times, resolution, scaled, plain];
}
