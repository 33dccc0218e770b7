import type { RomanWords } from "../rules/grammar.ts";
import { joinedPrevious, type Rule, textAt, tokenAt, wordSet } from "../rules/rule.ts";
import { cardinal, ordinalStem, year } from "./number-words.ts";

/** "1990er", "80er": the ending belongs to the number. */
const decades: Rule = (place) => {
  const [, digits = "", ending = ""] = /^(\d{2}|\d{4})(er[ns]?)$/.exec(textAt(place, 0)) ?? [];
  return digits === "" ? undefined : [year(digits) + ending];
};

/** "Hauptstr. 5": part of a name, so it is written with the rest. */
const street: Rule = (place) => {
  const [, name = ""] = /^(\p{L}[\p{L}-]*?)-?str$/iu.exec(textAt(place, 0)) ?? [];
  const dotted = tokenAt(place, 0)?.after.startsWith(".") === true;
  return name === "" || !dotted ? undefined : [`${name}straße`];
};

/** "in der 88. Min.": a minute, while "25 Min." are several. */
const minute: Rule = (place) =>
  textAt(place, 0) === "Min" && tokenAt(place, -1)?.after === "." && /^\d+$/.test(textAt(place, -1))
    ? ["Minute"]
    : undefined;

/** "im 20. Jh." */
const century: Rule = (place) =>
  textAt(place, 0) === "Jh" && /\d$/.test(joinedPrevious(place) || textAt(place, -1)) ? ["Jahrhundert"] : undefined;

export const SPECIAL_RULES: readonly Rule[] = [decades, street, minute, century];

export const ROMAN: RomanWords = {
  rulers:
    wordSet(`Ludwig Heinrich Karl Friedrich Wilhelm Otto Konrad Leopold Franz Joseph Maximilian Elisabeth Katharina Georg
    Eduard Richard Jakob Philipp Ferdinand Napoleon Johannes Paul Pius Benedikt Leo Gregor Clemens Innozenz Alexander Nikolaus
    Peter Iwan Gustav Christian Albert August Ramses Ptolemäus Urban Bonifatius Rudolf Albrecht Sigismund Charles`),
  ruler: (value, name) => `${/^(?:Elisabeth|Katharina)$/.test(name) ? "die" : "der"} ${ordinalStem(String(value))}e`,
  before: wordSet("kapitel band teil akt szene buch artikel abschnitt phase typ klasse stufe weltkrieg kap bd"),
  numbered: (value) => cardinal(String(value)),
  after: new Map(),
};
