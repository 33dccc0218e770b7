import type { AddressWords, NumberWords } from "./grammar.ts";
import { type Rule, textAt } from "./rule.ts";

const VERSION = /^([vV])?(\d{1,5}(?:\.\d{1,5}){0,4})$/;

/** "v2.3.1", "v2" and "1.2.3". Without its letter it has three short parts, so that it is no number. */
export function versionRules(
  words: Pick<AddressWords, "signs" | "version">,
  numbers: Pick<NumberWords, "cardinal">,
): Rule[] {
  const rule: Rule = (place) => {
    const [, letter, digits = ""] = VERSION.exec(textAt(place, 0)) ?? [];
    const parts = digits.split(".");
    const bare = /^\d{1,2}(?:\.\d{1,2}){2}$/.test(digits);
    if (digits === "" || (letter === undefined && !bare)) return undefined;
    const said = parts.map((part) => numbers.cardinal(part)).join(` ${words.signs["."] ?? ""} `);
    const isNamed = letter === undefined || textAt(place, -1).toLowerCase() === words.version.toLowerCase();
    return [isNamed ? said : `${words.version} ${said}`];
  };
  return [rule];
}
