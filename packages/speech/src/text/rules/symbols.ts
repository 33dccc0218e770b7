import type { NumberWords, SymbolWords } from "./grammar.ts";
import { joinedNext, joinedPrevious, type Rule, textAt } from "./rule.ts";

const RELATED = /^[-+]?(?:[\d.,]+\S{0,3}|\p{L}[\d²³]{0,3}|π)$/u;

/** Separate signs: always spoken, or only between two numbers. */
export function symbolRules(words: SymbolWords, numbers: NumberWords): Rule[] {
  const sign: Rule = (place) => {
    const text = textAt(place, 0);
    const lead = joinedPrevious(place) === "" && /^\d/.test(joinedNext(place)) ? words.leads[text] : undefined;
    if (lead !== undefined) return [lead];
    const always = words.always.get(text);
    if (always !== undefined) return [always];
    const between = words.between.get(text);
    if (between === undefined) return undefined;
    const [previous, next] = [joinedPrevious(place), joinedNext(place)];
    if (/^[a-z]$/i.test(text)) return /\d$/.test(previous) && /^\d/.test(next) ? [between] : undefined;
    if (text === "+" || text === "=") return [previous !== "" && next !== "" ? between : ""];
    return [RELATED.test(previous) && RELATED.test(next) ? between : ""];
  };

  /** "x²", "10³". */
  const power: Rule = (place) => {
    const [, base = "", sup = ""] = /^(\p{L}|\d{1,9})([²³])$/u.exec(textAt(place, 0)) ?? [];
    return base === "" ? undefined : [`${/\d/.test(base) ? numbers.cardinal(base) : base} ${words.powers[sup] ?? ""}`];
  };
  return [sign, power];
}
