import { SIGN_FRACTIONS } from "../rules/fractions.ts";
import { type Rule, textAt, tokenAt } from "../rules/rule.ts";
import { NUMBER } from "./groups.ts";

/** How a language says versions, addresses and formulas. */
export interface TechnicalWords {
  readonly number: (written: string) => string;
  readonly digits: (written: string) => string;
  readonly fraction: (top: string, bottom: string) => string;
  /** Between the parts of an address. */
  readonly dot: string;
  readonly colon: string;
  /** Between the parts of a version. */
  readonly point: string;
  readonly version: string;
  /** "2x", "2倍". */
  readonly factor: (written: string) => string;
  /** Before a telephone number with its country. */
  readonly plus: string;
  readonly signs: ReadonlyMap<string, string>;
  /** "²" and "³". */
  readonly powers: Readonly<Record<string, string>>;
}

const ADDRESS = /^(\d{1,3}(?:\.\d{1,3}){3})(?::(\d{1,5}))?$/;
const VERSION = /^v(\d{1,4}(?:\.\d{1,4}){0,4})$/i;
const OPERAND = `(?:${NUMBER}|[a-z])`;
const FORMULA = new RegExp(`^-?${OPERAND}(?:[-+*×÷=<>]-?${OPERAND}){1,8}$`, "i");
const PART = new RegExp(`${NUMBER}|[a-z]|[-+*×÷=<>]`, "gi");
const MAX_GROUPS = 6;

export function technicalRules(words: TechnicalWords): Rule[] {
  /** 192.168.0.1, 192.168.0.1:8080 */
  const address: Rule = (place) => {
    const [, parts = "", port] = ADDRESS.exec(textAt(place, 0)) ?? [];
    if (parts === "" || parts.split(".").some((part) => Number(part) > 255)) return undefined;
    const said = parts
      .split(".")
      .map((part) => words.digits(part))
      .join(words.dot);
    return [port === undefined ? said : said + words.colon + words.digits(port)];
  };

  /** v2.3.1 */
  const version: Rule = (place) => {
    const [, parts = ""] = VERSION.exec(textAt(place, 0)) ?? [];
    const said = parts
      .split(".")
      .map((part) => words.number(part))
      .join(words.point);
    return parts === "" ? undefined : [words.version + said];
  };

  /** 2x */
  const factor: Rule = (place) => {
    const [, amount = ""] = /^(\d{1,6}(?:\.\d{1,3})?)[x×]$/i.exec(textAt(place, 0)) ?? [];
    return amount === "" ? undefined : [words.factor(amount)];
  };

  /** ¼, and 2½ is left to its digits. */
  const sign: Rule = (place) => {
    const [top, bottom] = SIGN_FRACTIONS.get(textAt(place, 0))?.split("/") ?? [];
    return top === undefined || bottom === undefined ? undefined : [words.fraction(top, bottom)];
  };

  /** 2+2=4, x=5; 5-3 alone is a range. */
  const formula: Rule = (place) => {
    const text = textAt(place, 0);
    if (!FORMULA.test(text) || !/[+*×÷=<>]/.test(text)) return undefined;
    const said = [...text.matchAll(PART)].map(
      ([part]) => words.signs.get(part) ?? (/\d/.test(part) ? words.number(part) : part.toUpperCase()),
    );
    return [said.join(" ")];
  };

  /** x², 10³ */
  const power: Rule = (place) => {
    const [, base = "", exponent = ""] = /^([a-z]|\d{1,9})([²³])$/i.exec(textAt(place, 0)) ?? [];
    if (base === "") return undefined;
    return [`${/\d/.test(base) ? words.number(base) : base.toUpperCase()}${words.powers[exponent] ?? ""}`];
  };

  /** +86 10 1234 5678 */
  const phone: Rule = (place) => {
    if (!/^\+\d{1,3}$/.test(textAt(place, 0))) return undefined;
    let count = 1;
    const group = (offset: number): boolean =>
      tokenAt(place, offset - 1)?.after === "" && /^\d{1,11}(?:-\d{2,8})*$/.test(textAt(place, offset));
    while (count < MAX_GROUPS && group(count)) count++;
    const groups = Array.from({ length: count }, (_, offset) => textAt(place, offset).replace(/\D/g, ""));
    if (groups.join("").length < 8) return undefined;
    return groups.map(
      (digits, at) => `${at === 0 ? words.plus : ""}${words.digits(digits)}${at < count - 1 ? "," : ""}`,
    );
  };
  return [address, version, factor, sign, formula, power, phone];
}
