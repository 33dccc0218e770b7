import { cardinal, ordinal } from "./number-words.ts";
import { joinedNext, joinedPrevious, type Rule, textAt, tokenAt, wordSet } from "./rule.ts";

const CANONICAL = /^(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;
const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/** Rulers and popes: what follows their name is "the eighth". */
const RULERS =
  wordSet(`Henry Louis Elizabeth George Charles Edward Richard James William Mary John Paul Pius Benedict Leo
  Francis Philip Felipe Ferdinand Napoleon Nicholas Alexander Catherine Peter Ivan Frederick Wilhelm Friedrich Gregory
  Innocent Clement Urban Ramses Ramesses Ptolemy Xerxes Darius Otto Haakon Harald Gustav Olav Margrethe Albert Leopold
  Constantine Justinian Theodosius Mehmed Murad Selim Suleiman Robert Malcolm Christian Alfonso Carlos Juan Pedro Umberto
  Victor Emmanuel Umberto Joseph Franz Boniface Sixtus Julius Adrian Celestine Cleopatra Thutmose Amenhotep Edgar Umberto`);

/** What such a numeral numbers: "Chapter IV" is "chapter four". */
const NUMBERED = wordSet(`chapter part act scene book volume vol section war article title phase type class level stage
  figure table appendix rocky fantasy bowl game round episode season grade tier mark apollo page step unit schedule
  category group generation gen ii version corps region zone`);

/** Canonical numerals that are words, initials or sizes far more often. */
const OTHER_MEANINGS = wordSet(
  "MIX DI CV MC CD MD DC MI XL CC MM DIM DM CM CI CL ML LI LIV MIL DIV VI IV XX XXL MDM DIX",
);
/** "Henry I think": here the letter is the speaker. */
const I_VERBS = /^(?:am|think|have|know|will|would|love|like|want|believe|guess|mean|can|do|did|don't|need|said)$/i;

export function romanValue(text: string): number | undefined {
  if (!CANONICAL.test(text)) return undefined;
  let total = 0;
  for (let at = 0; at < text.length; at++) {
    const value = VALUES[text[at] ?? ""] ?? 0;
    total += value < (VALUES[text[at + 1] ?? ""] ?? 0) ? -value : value;
  }
  return total;
}

const numeral: Rule = (place) => {
  const [, roman = "", ending = ""] = /^([MDCLXVI]+)('s)?$/.exec(textAt(place, 0)) ?? [];
  const value = romanValue(roman);
  if (value === undefined) return undefined;
  const dotted = tokenAt(place, -1)?.after === "." && NUMBERED.has(textAt(place, -1).toLowerCase());
  const previous = dotted ? textAt(place, -1) : joinedPrevious(place);
  const said = cardinal(String(value));
  if (RULERS.has(previous) && value < 40 && !(roman === "I" && I_VERBS.test(joinedNext(place)))) {
    return [`the ${ordinal(String(value))}${ending}`];
  }
  if (NUMBERED.has(previous.toLowerCase()) && value < 400) return [said + ending];
  if (/^centur(?:y|ies)$/i.test(joinedNext(place)) && roman.length > 1) return [ordinal(String(value))];
  const named = /^\p{Lu}\p{Ll}+/u.test(previous) && roman.length > 1 && /^[IVX]+$/.test(roman);
  return named && (!OTHER_MEANINGS.has(roman) || /^(?:IV|VI|XX)$/.test(roman)) ? [said + ending] : undefined;
};

export const ROMAN_RULES: readonly Rule[] = [numeral];
