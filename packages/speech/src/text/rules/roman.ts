import type { RomanWords } from "./grammar.ts";
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

/** "Felipe II", "siglo XIX", "capítulo IV": a numeral is one only beside a word that is numbered. */
export function romanRules(words: RomanWords): Rule[] {
  const rule: Rule = (place) => {
    const text = textAt(place, 0);
    const value = romanValue(text.toUpperCase());
    // "section C" and "parte d" are letters.
    if (value === undefined || (text.length === 1 && !/[IVX]/.test(text))) return undefined;
    const near = /^\.?$/.test(tokenAt(place, -1)?.after ?? "!");
    const previous = near ? textAt(place, -1) : "";
    if (words.before.has(previous.toLowerCase())) return [words.numbered(value, previous.toLowerCase())];
    if (listed(place, words)) return [words.numbered(value, textAt(place, -3).toLowerCase())];
    const name = previous.charAt(0).toUpperCase() + previous.slice(1);
    const sure = text === text.toUpperCase() || SURE_SMALL.test(text);
    if (words.rulers.has(name) && value < 40 && sure) return [words.ruler(value, name)];
    if (text !== text.toUpperCase()) return undefined;
    const next = words.after.get(joinedNext(place).toLowerCase());
    return next !== undefined && (text.length > 1 || value > 1) ? [next(value)] : undefined;
  };
  return [rule];
}
