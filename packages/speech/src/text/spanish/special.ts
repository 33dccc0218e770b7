import { SIGN_FRACTIONS, slashed } from "../rules/fractions.ts";
import { joinedNext, type Rule, textAt } from "../rules/rule.ts";
import { nounGender } from "./nouns.ts";
import { cardinal, ordinal } from "./number-words.ts";

const fractionOf = (text: string): { over: string; under: string } | undefined => slashed(SIGN_FRACTIONS[text] ?? text);

/** "1/2 litro" is "medio litro", "½ hora" is "media hora". */
const half: Rule = (place) => {
  const { over, under } = fractionOf(textAt(place, 0)) ?? {};
  const gender = over === "1" && under === "2" ? nounGender(joinedNext(place), false) : undefined;
  return gender === undefined ? undefined : [gender === "f" ? "media" : "medio"];
};

/** "3/4 partes" is "tres cuartas partes". */
const parts: Rule = (place) => {
  const { over = "", under = "" } = fractionOf(textAt(place, 0)) ?? {};
  if (!/^partes?$/.test(joinedNext(place)) || Number(under) < 3 || Number(under) > 10) return undefined;
  return [`${cardinal(over, "f")} ${Number(under) === 3 ? "tercera" : ordinal(under, "f")}${over === "1" ? "" : "s"}`];
};

export const special: readonly Rule[] = [half, parts];
