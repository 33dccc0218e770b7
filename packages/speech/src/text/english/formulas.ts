import { cardinal, digitByDigit, parseNumber, quantity } from "./number-words.ts";
import { type Rule, textAt } from "./rule.ts";
import { unitOf } from "./units.ts";

const SIGNS: Readonly<Record<string, string>> = {
  "-": "minus",
  "+": "plus",
  "*": "times",
  "×": "times",
  "÷": "divided by",
  "/": "over",
  "=": "equals",
};
const OPERAND = "(?:\\d[\\d.,]*|[a-z])";
const EQUATION = new RegExp(`^-?${OPERAND}(?:[-+*×÷/=]-?${OPERAND}){2,8}$`);

/** "1-2=5", "y=x+1". */
const equation: Rule = (place) => {
  const text = textAt(place, 0);
  if (!text.includes("=") || !EQUATION.test(text)) return undefined;
  const said = [...text.matchAll(/\d[\d.,]*|[a-z]|[-+*×÷/=]/g)].map(([part]) => {
    const number = parseNumber(part);
    if (number !== undefined) return quantity(number, place.style);
    // "1,5" is no English number, but its digits are not dropped.
    return SIGNS[part] ?? (/^\d/.test(part) ? digitByDigit(part.replace(/\D/g, "")) : part);
  });
  return [said.join(" ")];
};

/** "3.2x10^5", "6×10⁻³". */
const powerOfTen: Rule = (place) => {
  const [, digits = "", power = ""] =
    /^([-–]?\d+(?:\.\d+)?)[x×*·]10(\^[-–+]?\d{1,3}|[⁻⁺]?[⁰¹²³⁴-⁹]{1,3})$/i.exec(textAt(place, 0)) ?? [];
  const number = parseNumber(digits);
  if (digits === "" || number === undefined) return undefined;
  const exponent = power.normalize("NFKC").replace(/^\^/, "");
  const sign = /^[-–−]/.test(exponent) ? "minus " : "";
  return [`${quantity(number)} times ten to the power of ${sign}${cardinal(exponent.replace(/\D/g, ""))}`];
};

/** "1e-5", "3.2e10". */
const scientific: Rule = (place) => {
  const [, digits = "", sign = "", exponent = ""] =
    /^([-–]?\d+(?:\.\d+)?)[eE]([-+]?)(\d{1,3})$/.exec(textAt(place, 0)) ?? [];
  const number = parseNumber(digits);
  if (digits === "" || number === undefined) return undefined;
  return [`${quantity(number)} times ten to the power of ${sign === "-" ? "minus " : ""}${cardinal(exponent)}`];
};

/** "1/f", "2/n". */
const ratio: Rule = (place) => {
  const [, over = "", under = ""] = /^(\d{1,3})\/([b-df-z])$/.exec(textAt(place, 0)) ?? [];
  return over === "" || unitOf(under) !== undefined ? undefined : [`${cardinal(over)} over ${under.toUpperCase()}`];
};

export const FORMULA_RULES: readonly Rule[] = [equation, powerOfTen, scientific, ratio];
