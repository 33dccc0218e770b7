import type { NumberWords, SymbolWords } from "./grammar.ts";
import { joinedNext, joinedPrevious, type Rule, textAt } from "./rule.ts";
import { spacedHyphen } from "./spaced-hyphen.ts";

/** A number, a variable, or the end of a time of day. */
export const RELATED = /^[-+]?(?:[$€£]?[\d.,]+\S{0,3}|\p{L}[\d²³]{0,3}|[ap]m|π)$/iu;

/** Separate signs: always spoken, or only between two numbers. */
export function symbolRules(words: SymbolWords, numbers: NumberWords): Rule[] {
  const sign: Rule = (place) => {
    const text = textAt(place, 0);
    const lead = joinedPrevious(place) === "" && /^\d/.test(joinedNext(place)) ? words.leads.get(text) : undefined;
    if (lead !== undefined) return [lead];
    const always = words.always.get(text);
    if (always !== undefined) return [always];
    const between = words.between.get(text);
    if (between === undefined) return undefined;
    const [previous, next] = [joinedPrevious(place), joinedNext(place)];
    if (/^[a-z]$/i.test(text)) return /\d$/.test(previous) && /^\d/.test(next) ? [between] : undefined;
    if (text === "+" || text === "=") return [previous !== "" && next !== "" ? between : ""];
    if (!RELATED.test(previous) || !RELATED.test(next)) return [""];
    return [text === "-" && spacedHyphen(place) === "range" ? numbers.range : between];
  };

  /** "x²", "10³". */
  const power: Rule = (place) => {
    const [, base = "", sup = ""] = /^(\p{L}|\d{1,9})([²³])$/u.exec(textAt(place, 0)) ?? [];
    return base === "" ? undefined : [`${/\d/.test(base) ? numbers.cardinal(base) : base} ${words.powers[sup] ?? ""}`];
  };
  return [sign, power];
}
