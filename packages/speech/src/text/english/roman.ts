import { romanValue } from "../rules/roman.ts";
import { cardinal, ordinal, year } from "./number-words.ts";
import { joinedNext, joinedPrevious, type Rule, textAt, tokenAt, wordSet } from "./rule.ts";

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

const numeral: Rule = (place) => {
  const small = /^(?:i{2,3}|iv|vi{1,3}|ix|xi{1,3}|xi?v|xvi{1,3}|xix|xx)$/.test(textAt(place, 0));
  const numbered = small && NUMBERED.has(joinedPrevious(place).toLowerCase());
  const written = numbered ? textAt(place, 0).toUpperCase() : textAt(place, 0);
  const [, roman = "", ending = ""] = /^([MDCLXVI]+)('s|st|nd|rd|th)?$/.exec(written) ?? [];
  const value = romanValue(roman);
  if (value === undefined) return undefined;
  if (/^[a-z]/.test(ending)) return roman.length > 1 ? [ordinal(String(value))] : undefined;
  const dotted = tokenAt(place, -1)?.after === "." && NUMBERED.has(textAt(place, -1).toLowerCase());
  const previous = dotted ? textAt(place, -1) : joinedPrevious(place);
  const said = cardinal(String(value));
  // "Malcolm X" and "Generation X".
  if (roman === "X" && /^(?:Malcolm|generation|gen)$/i.test(previous)) return undefined;
  if (RULERS.has(previous) && value < 40 && !(roman === "I" && I_VERBS.test(joinedNext(place)))) {
    return [`the ${ordinal(String(value))}${ending}`];
  }
  // "John Smith III": a first name and a surname.
  const surname =
    /^\p{Lu}\p{Ll}+$/u.test(previous) && RULERS.has(textAt(place, -2)) && !NUMBERED.has(previous.toLowerCase());
  if (surname && tokenAt(place, -2)?.after === "" && value > 1 && value < 6)
    return [`the ${ordinal(String(value))}${ending}`];
  if (NUMBERED.has(previous.toLowerCase()) && value < 400) return [said + ending];
  if (/^centur(?:y|ies)$/i.test(joinedNext(place)) && roman.length > 1) return [ordinal(String(value))];
  // "II. Methods": the number of a heading.
  const heads = tokenAt(place, -1) === undefined && tokenAt(place, 0)?.after === "." && /^[IVX]{2,}$/.test(roman);
  if (heads && ending === "") return [said];
  // No word is so long: "MCMXCIV" is a year.
  if (roman.length > 4 && /^M/.test(roman)) return [year(String(value)) + ending];
  const named = /^\p{Lu}\p{Ll}+/u.test(previous) && roman.length > 1 && /^[IVX]+$/.test(roman);
  return named && (!OTHER_MEANINGS.has(roman) || /^(?:IV|VI|XX)$/.test(roman)) ? [said + ending] : undefined;
};

export const ROMAN_RULES: readonly Rule[] = [numeral];
