import type { AbbreviationWords, RomanWords } from "./grammar.ts";
import { joinedNext, type Place, type Rule, textAt, tokenAt } from "./rule.ts";

const CANONICAL = /^(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;
const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/** Numerals in small letters that are no words. */
const SURE_SMALL = /^(?:i{2,3}|iv|vi{2,3}|ix|xi{1,3}|xiv|xvi{0,3}|xix|xx)$/;

/** The value of a numeral in its canonical form. */
export function romanValue(text: string): number | undefined {
  if (!CANONICAL.test(text)) return undefined;
  let total = 0;
  for (let at = 0; at < text.length; at++) {
    const value = VALUES[text[at] ?? ""] ?? 0;
    total += value < (VALUES[text[at + 1] ?? ""] ?? 0) ? -value : value;
  }
  return total;
}

/** The second numeral of "siglos XVI y XVII". */
const listed = (place: Place, words: RomanWords): boolean =>
  /^(?:y|e|et|ed|o|ou|a|al|à|ao)$/.test(textAt(place, -1)) &&
  romanValue(textAt(place, -2).toUpperCase()) !== undefined &&
  words.before.has(textAt(place, -3).toLowerCase());

interface RomanContext {
  /** Between the first and the last of several: "XVI-XVIII". */
  readonly range: string;
  readonly abbreviations?: AbbreviationWords;
}

/** "Felipe II", "siglo XIX", "cap. IV": a numeral is one only beside a word that is numbered. */
export function romanRules(words: RomanWords, { range, abbreviations }: RomanContext): Rule[] {
  /** The word before the numeral in full. */
  function wordBefore(place: Place): string {
    const text = textAt(place, -1);
    const after = tokenAt(place, -1)?.after ?? "!";
    if (after === "") return text;
    const key = text.toLowerCase();
    return after === "." ? (abbreviations?.beforeNumber.get(key) ?? abbreviations?.dotted.get(key) ?? text) : "";
  }

  /** "siglos XVI-XVIII". */
  const several: Rule = (place) => {
    const ends = /^([IVXLC]+)[-–]([IVXLC]+)$/.exec(textAt(place, 0))?.slice(1) ?? [];
    const before = wordBefore(place).toLowerCase();
    const values = ends.flatMap((end) => romanValue(end) ?? []);
    if (values.length < 2 || !words.before.has(before)) return undefined;
    return [values.map((value) => words.numbered(value, before)).join(` ${range} `)];
  };

  const rule: Rule = (place) => {
    const text = textAt(place, 0);
    const value = romanValue(text.toUpperCase());
    // "section C" and "parte d" are letters.
    if (value === undefined || (text.length === 1 && !/[IVX]/.test(text))) return undefined;
    const previous = wordBefore(place);
    if (words.before.has(previous.toLowerCase())) return [words.numbered(value, previous.toLowerCase())];
    if (listed(place, words)) return [words.numbered(value, textAt(place, -3).toLowerCase())];
    const name = previous.charAt(0).toUpperCase() + previous.slice(1);
    const sure = text === text.toUpperCase() || SURE_SMALL.test(text);
    if (words.rulers.has(name) && value < 40 && sure) return [words.ruler(value, name)];
    if (text !== text.toUpperCase()) return undefined;
    const next = words.after.get(joinedNext(place).toLowerCase());
    return next !== undefined && (text.length > 1 || value > 1) ? [next(value)] : undefined;
  };
  return [several, rule];
}
