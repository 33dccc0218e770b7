import type { FractionWords, NumberWords } from "./grammar.ts";
import { joinedNext, type Rule, textAt } from "./rule.ts";

export const SIGN_FRACTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "½": "1/2",
    "⅓": "1/3",
    "⅔": "2/3",
    "¼": "1/4",
    "¾": "3/4",
    "⅕": "1/5",
    "⅖": "2/5",
    "⅗": "3/5",
    "⅘": "4/5",
    "⅙": "1/6",
    "⅚": "5/6",
    "⅛": "1/8",
    "⅜": "3/8",
    "⅝": "5/8",
    "⅞": "7/8",
  }),
);

/** The two numbers of "3/4", without separators of thousands. */
export function slashed(text: string): { over: string; under: string } | undefined {
  const [, over, under] = /^(\d[\d.]*)\/(\d[\d.]*)$/.exec(text) ?? [];
  return over === undefined || under === undefined
    ? undefined
    : { over: over.replaceAll(".", ""), under: under.replaceAll(".", "") };
}

/** "3/4", "½", "2½", "1 1/2", "-1/3". */
export function fractionRules(words: FractionWords, numbers: NumberWords): Rule[] {
  const say = (text: string): string | undefined => {
    const parts = slashed(text);
    return parts === undefined ? undefined : words.say(parts.over, parts.under);
  };
  /** "ley 39/2015". */
  const law: Rule = (place) => {
    const [, number = "", year = ""] = /^(\d{1,4})\/((?:19|20)\d{2})$/.exec(textAt(place, 0)) ?? [];
    if (number === "" || words.laws?.before.test(textAt(place, -1)) !== true) return undefined;
    return [`${numbers.cardinal(number)} ${words.laws.joint} ${numbers.cardinal(year)}`];
  };

  const rule: Rule = (place) => {
    const text = textAt(place, 0);
    const [, whole = "", sign = ""] = /^[-–]?(\d*)([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])$/.exec(text) ?? [];
    const lead = /^[-–]/.test(text) ? `${numbers.minus} ` : "";
    if (sign !== "") {
      const part = say(SIGN_FRACTIONS.get(sign) ?? "") ?? "";
      return [lead + (whole === "" ? part : words.mixed(whole, part))];
    }
    const bare = text.replace(/^[-–]/, "");
    if (/^\d{1,6}$/.test(bare)) {
      const next = joinedNext(place);
      const part = say(SIGN_FRACTIONS.get(next) ?? next);
      return part === undefined ? undefined : [lead + words.mixed(bare, part), ""];
    }
    // "Open 24/7" is no fraction.
    const said = bare === "24/7" ? `${numbers.cardinal("24")} ${numbers.cardinal("7")}` : say(bare);
    return said === undefined ? undefined : [lead + said];
  };
  return [law, rule];
}
