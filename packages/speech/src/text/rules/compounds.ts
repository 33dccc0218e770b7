import type { Grammar } from "./grammar.ts";
import { type Place, type Rule, readPart, readPartOrNumbers, textAt } from "./rule.ts";
import { isInitialism, spellLetters } from "./spelling.ts";

const PLAIN = /^'?\p{L}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*'?$/u;
const ELIDED = /^\p{L}{1,6}'(?=\d)/u;
const SIGNS = "[-+*×x÷=/^<>]";
const OPERAND = "(?:\\d[\\d.,]*|\\p{L})";
const FORMULA = new RegExp(`^-?${OPERAND}(?:${SIGNS}-?${OPERAND}){1,8}$`, "u");

/** "DNI", "F.B.I": letter by letter. */
export function initialismRules(grammar: Grammar): Rule[] {
  const rule: Rule = (place) => {
    const text = textAt(place, 0);
    if (!isInitialism(text, grammar.addresses.pronounceable)) return undefined;
    const shouted = [-1, 1].some((offset) => /^\p{Lu}{2,}$/u.test(textAt(place, offset)));
    return shouted && /[AEIOU]/.test(text) && !text.includes(".") ? undefined : [spellLetters(text)];
  };
  return [rule];
}

/** "1-2=5", "2+3", "3×4": numbers and variables with signs between, in one token. */
export function formulaRules(between: ReadonlyMap<string, string>, rules: readonly Rule[]): Rule[] {
  const rule: Rule = (place) => {
    const text = textAt(place, 0);
    const sized = /^\d[\d.,]*(?:x\d[\d.,]*){1,3}$/.test(text);
    if (!sized && !(FORMULA.test(text) && /[=×÷^+*<>]/.test(text))) return undefined;
    const said: string[] = [];
    for (const [part] of text.matchAll(/\d[\d.,]*|\p{L}|[-+*×÷=/^<>]/gu)) {
      const sign = sized && part === "x" ? "×" : part;
      // "x" is a variable, unless it stands between two sizes.
      const word = /\p{L}/u.test(sign) ? undefined : between.get(sign);
      said.push(word ?? readPartOrNumbers(rules, part, undefined));
    }
    return [said.join(" ")];
  };
  return [rule];
}

/** Words with hyphens or slashes whose parts need rules: "covid-19", "20-30", "y/o". */
export function hyphenRules(grammar: Grammar, rules: readonly Rule[]): Rule[] {
  const rule: Rule = (place) => {
    const text = textAt(place, 0);
    const parts = text.split(/[-–/]/).filter((part) => part !== "");
    const special = text.includes("/") || parts.some((part) => !PLAIN.test(part) || isCapitals(part));
    if (parts.length < 2 || !special || !parts.every((part) => /[\p{L}\d]/u.test(part))) return undefined;
    return [parts.map((part) => readPart(rules, part, undefined) ?? pieces(part, grammar, rules)).join(" ")];
  };
  return [rule];
}

const isCapitals = (part: string): boolean => /^\p{Lu}{2,}$/u.test(part);

/** Any word that no rule knows: as it is when it is letters, otherwise part by part. */
export function readCompound(place: Place, grammar: Grammar, rules: readonly Rule[]): string {
  const text = textAt(place, 0);
  if (PLAIN.test(text)) return text;
  // "l'8 marzo", "nell'11ª ora": the article is one word with what follows.
  const [article = ""] = ELIDED.exec(text) ?? [];
  const rest = text.slice(article.length);
  return article + ((article === "" ? undefined : readPart(rules, rest, undefined)) ?? pieces(rest, grammar, rules));
}

function pieces(text: string, grammar: Grammar, rules: readonly Rule[]): string {
  if (PLAIN.test(text)) return text;
  const { numbers, symbols } = grammar;
  const words: string[] = [];
  for (const [part] of text.normalize("NFKC").matchAll(/[\p{L}\p{M}']+|\d+(?:[.,]\d+)*|[^\p{L}\p{M}'\d]/gu)) {
    if (/^\d/.test(part)) {
      const code = /^0\d/.test(part) || part.length > 6;
      words.push((code ? undefined : readPart(rules, part, undefined)) ?? numbers.digits(part.replace(/\D/g, "")));
    } else if (/^[\p{L}\p{M}]/u.test(part)) {
      words.push(part.length === 1 || isInitialism(part, grammar.addresses.pronounceable) ? spellLetters(part) : part);
    } else words.push(symbols.always.get(part) ?? "");
  }
  return words.filter((word) => word !== "").join(" ");
}
