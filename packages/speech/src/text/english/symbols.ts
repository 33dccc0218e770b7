import { spacedHyphen } from "../rules/spaced-hyphen.ts";
import { RELATED } from "../rules/symbols.ts";
import { cardinal } from "./number-words.ts";
import { joinedNext, joinedPrevious, type Rule, table, textAt } from "./rule.ts";
import { RATED } from "./units.ts";

/** Separate signs that are always spoken. */
const ALWAYS = table(`
  &: and
  ＆: and
  @: at
  %: percent
  ≈: is about
  ≠: is not equal to
  ≤: is less than or equal to
  ≥: is greater than or equal to
  ±: plus or minus
  ÷: divided by
  √: square root of
  π: pi
  ∞: infinity
  ∑: sum
  ∫: integral
  ∆: delta
  Δ: delta
  °: degrees
  §: section
  §§: sections
  ¶: paragraph
  €: euros
  £: pounds
  ¥: yen
  ₹: rupees
  C++: C plus plus
  C#: C sharp
  F#: F sharp
  R&D: R and D
  Q&A: Q and eigh
  Q&As: Q and eigh's
  R&B: R and B
  B&B: B and B
  M&A: M and eigh
  M&Ms: M and M's
  M&M's: M and M's
  AT&T: eigh T and T`);

/** Before a number that nothing is compared with. */
const BOUNDS = table(`
  ≈: about
  ≤: at most
  ≥: at least
  <: less than
  >: more than`);

/** Spoken only between two words; a bullet or an arrow is not. */
const BETWEEN = table(`
  +: plus
  =: equals
  ==: equals
  !=: is not equal to
  <: is less than
  >: is greater than
  <=: is less than or equal to
  >=: is greater than or equal to
  ×: times
  *: times
  -: minus
  –: to
  ^: to the power of`);

const sign: Rule = (place) => {
  const text = textAt(place, 0);
  const bound = joinedPrevious(place) === "" && /^\d/.test(joinedNext(place)) ? BOUNDS.get(text) : undefined;
  if (bound !== undefined) return [bound];
  const always = ALWAYS.get(text);
  if (always !== undefined) return [always];
  const between = text === "/" ? "slash" : (BETWEEN.get(text) ?? (text === "x" || text === "X" ? "by" : undefined));
  if (between === undefined) return undefined;
  const previous = joinedPrevious(place);
  const next = joinedNext(place);
  if (text.toLowerCase() === "x") {
    if (!/^\d/.test(previous) || !/^\d/.test(next)) return undefined;
    // "2 x 500mg" counts, "2 x 4 m" measures.
    return [/^\d+(?:mg|g|kg|ml|l|[MGT]B)$/i.test(next) ? "times" : between];
  }
  // "+" joins words too ("coffee + cake"); the others relate only numbers and variables.
  if (text === "/" && /^[$€£¥₹]\d/.test(previous) && RATED.test(next)) return ["per"];
  if (text === "/")
    return [/\d$/.test(previous) && /^\d/.test(next) ? "over" : previous !== "" && next !== "" ? "slash" : ""];
  if (text === "+" || text === "=") return previous !== "" && next !== "" ? [between] : [""];
  if (!RELATED.test(previous) || !RELATED.test(next)) return [""];
  return [text === "-" && spacedHyphen(place) === "range" ? "to" : between];
};

const SUPERSCRIPTS: Readonly<Record<string, string>> = { "²": "squared", "³": "cubed" };

/** "x²", "10²³", "10⁻⁶". */
const power: Rule = (place) => {
  const [, base = "", sup = ""] = /^(\p{L}|\d{1,6})([⁻⁰¹²³⁴-⁹]{1,6})$/u.exec(textAt(place, 0)) ?? [];
  if (base === "") return undefined;
  const said = /\d/.test(base) ? cardinal(base) : base;
  const known = SUPERSCRIPTS[sup];
  if (known !== undefined) return [`${said} ${known}`];
  const exponent = sup.normalize("NFKC");
  const digits = exponent.replace(/\D/g, "");
  return digits === ""
    ? undefined
    : [`${said} to the power of ${/^\d/.test(exponent) ? "" : "minus "}${cardinal(digits)}`];
};

export const SYMBOL_RULES: readonly Rule[] = [sign];
/** After the rules of units, which know "m²". */
export const POWER_RULES: readonly Rule[] = [power];
