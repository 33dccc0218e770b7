import { SIGN_FRACTIONS, slashed } from "../rules/fractions.ts";
import { joinedNext, joinedPrevious, type Rule, textAt } from "../rules/rule.ts";
import { nounGender } from "./nouns.ts";
import { cardinal, ordinal } from "./number-words.ts";

const fractionOf = (text: string): { over: string; under: string } | undefined =>
  slashed(SIGN_FRACTIONS.get(text) ?? text);

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

/** "1 h 5 min 20 s": "y" before the last of three. */
const seconds: Rule = (place) => {
  const text = textAt(place, 0);
  const last = /^min$/.test(joinedPrevious(place)) && /^(?:seg|segs|s)$/.test(joinedNext(place));
  if (!/^\d{1,2}$/.test(text) || !last || !/^(?:h|hs|hrs)$/.test(textAt(place, -3))) return undefined;
  return [`y ${cardinal(text, "m")}`, Number(text) === 1 ? "segundo" : "segundos"];
};

export const special: readonly Rule[] = [half, parts, seconds];
