import { type Rule, textAt, tokenAt } from "./rule.ts";

const GROUPS = [0, 1, 2, 3];
const YEAR = /^(?:1[89]|20)\d\d$/;

/** "4539 1488 0343 6467": four groups of four digits with only space between, digit by digit. Four years are no such number. */
export function cardNumberRules(digits: (group: string) => string): Rule[] {
  const rule: Rule = (place) => {
    const groups = GROUPS.map((offset) => textAt(place, offset));
    const apart = GROUPS.slice(1).some((offset) => tokenAt(place, offset - 1)?.after !== "");
    if (apart || !groups.every((group) => /^\d{4}$/.test(group)) || groups.every((group) => YEAR.test(group)))
      return undefined;
    return groups.map((group, offset) => `${digits(group)}${offset < groups.length - 1 ? "," : ""}`);
  };
  return [rule];
}
