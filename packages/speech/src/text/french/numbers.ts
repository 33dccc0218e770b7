import type { FractionWords, NumberWords, OrdinalWords, RomanWords } from "../rules/grammar.ts";
import { romanValue } from "../rules/roman.ts";
import { joinedNext, joinedPrevious, type Rule, textAt, wordSet } from "../rules/rule.ts";
import { nounGender } from "./nouns.ts";
import { cardinal, decimals, denominator, digitByDigit, ordinal } from "./number-words.ts";

const NUMBERS: NumberWords = {
  decimalMark: ",",
  cardinal,
  ordinal,
  digits: digitByDigit,
  decimals,
  point: (mark) => (mark === "," ? "virgule" : "point"),
  minus: "moins",
  plus: "plus",
  scaleWords: /^(?:mille|millions?|milliards?|billions?|Mds?)$/i,
  scaleSigns: new Map([
    ["k", ["mille", "mille"]],
    ["K", ["mille", "mille"]],
    ["M", ["million", "millions"]],
    ["Md", ["milliard", "milliards"]],
    ["Mds", ["milliard", "milliards"]],
  ]),
  range: "à",
  times: { one: "fois", many: "fois", gender: "f" },
  nounGender,
};

/** What marks and shares are out of: "15/20". */
const OUT_OF = /^(?:20|40|50|100)$/;

const FRACTIONS: FractionWords = {
  say: (over, under) => {
    const [top, bottom] = [Number(over), Number(under)];
    if (bottom < 2 || top === 0 || over.length > 6 || under.length > 6) return undefined;
    if ((top > 1 && OUT_OF.test(under)) || top > bottom * 4 || bottom > 1000)
      return `${cardinal(over)} sur ${cardinal(under)}`;
    return `${cardinal(over)} ${denominator(under, top > 1)}`;
  },
  // "un et demi", yet "un et un quart".
  mixed: (whole, part) => `${cardinal(whole)} et ${part.replace(/^un demi$/, "demi")}`,
};

const SECOND = /^n?de?s?$/;

/** "1re", "2nd", "21es": gender and number by the ending. */
function sayOrdinal(digits: string, ending: string): string {
  const plural = ending.endsWith("s") ? "s" : "";
  if (SECOND.test(ending) && digits === "2") return `second${/e/.test(ending) ? "e" : ""}${plural}`;
  const feminine = /^(?:r|èr|ʳ)/.test(ending);
  return `${ordinal(digits, feminine ? "f" : "m")}${plural}`;
}

const ORDINALS: OrdinalWords = {
  pattern: /^(\d[\d\u2009]*)(ers?|[èe]res?|res?|i?[èe]mes?|i?[ée]mes?|es?|è|nde?s?|de?s?|ᵉʳ|ʳᵉ|ᵉ)$/,
  say: sayOrdinal,
};

const ARTICLES = /^(?:|le|la|les|l'|du|au|aux|des|un|une|son|sa|ce|cette|notre|votre|leur|chaque)$/i;

/** "le 6° étage": an ordinal behind an article or at the start; "il fait 20°" are degrees. */
const degreeOrdinal: Rule = (place) => {
  const [, digits = ""] = /^(\d{1,3})°$/.exec(textAt(place, 0)) ?? [];
  if (digits === "" || !ARTICLES.test(joinedPrevious(place))) return undefined;
  return /^(?:[CFNSEO]|Celsius|Fahrenheit|nord|sud|est|ouest)$/.test(joinedNext(place)) ? undefined : [ordinal(digits)];
};

/** "le 1 000 000e": without "un" behind an article. */
const roundOrdinal: Rule = (place) => {
  const [, digits = ""] = /^(1(?:\u2009?000)+)e$/.exec(textAt(place, 0)) ?? [];
  if (digits === "" || !/^(?:le|la|du|au|ce|cette|son|sa)$/i.test(joinedPrevious(place))) return undefined;
  return [ordinal(digits.replace(/\D/g, "")).replace(/^un /, "")];
};

const ROMAN_ORDINAL = /^([IVX]|[IVXLC]{2,})(er|[èe]re|re|e|ème|ᵉʳ|ʳᵉ|ᵉ)s?$/;

/** "XIVe siècle", "François Ier", "la Ve République". */
const romanOrdinal: Rule = (place) => {
  const [, numeral = "", ending = ""] = ROMAN_ORDINAL.exec(textAt(place, 0)) ?? [];
  const value = romanValue(numeral);
  return value === undefined ? undefined : [sayOrdinal(String(value), ending)];
};

/** "s." of "XXe s.". */
const century: Rule = (place) =>
  textAt(place, 0) === "s" && ROMAN_ORDINAL.test(joinedPrevious(place)) ? ["siècle"] : undefined;

const said = (value: number): string => cardinal(String(value));

const ROMAN: RomanWords = {
  ruler: said,
  rulers:
    wordSet(`Louis Henri Charles François Philippe Napoléon Jean Paul Jean-Paul Benoît Pie Léon Grégoire Clément Innocent
    Urbain Boniface Alexandre Nicolas Pierre Catherine Élisabeth Elizabeth Elisabeth George Georges Édouard Edouard Guillaume
    Jacques Richard Frédéric Guillaume Léopold Albert Baudouin Ferdinand Alphonse Victor-Emmanuel Ramsès Ptolémée Mohammed
    Hassan Robert Hugues Lothaire Sixte Jules Adrien Célestin Christian Gustave Haakon Harald Mehmed Selim Ivan Marguerite`),
  before:
    wordSet(`chap ch vol art chapitre tome acte scène livre volume partie article titre phase type classe niveau figure tableau annexe
    section leçon épisode saison groupe apollo mondiale guerre page paris lyon grade stade rocky vatican`),
  numbered: said,
  after: new Map([["siècle", (value: number) => ordinal(String(value))]]),
};

export const NUMBER_GRAMMAR = { numbers: NUMBERS, fractions: FRACTIONS, ordinals: ORDINALS, roman: ROMAN };
export const NUMBER_RULES: readonly Rule[] = [degreeOrdinal, roundOrdinal, romanOrdinal, century];
