import { digitGroups } from "../rules/digit-groups.ts";
import type { Gender } from "../rules/grammar.ts";

/** Numbers in French words. Digits are strings, so that no precision is lost. */

const ONES =
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split(
    " ",
  );
const TENS = "_ _ vingt trente quarante cinquante soixante".split(" ");
const SCALES = ["", "mille", "million", "milliard", "billion", "billiard", "trillion"];
/** A longer number is only a row of digits to a listener. */
const MAX_DIGITS = SCALES.length * 3;

const one = (digit: string | number): string => ONES[Number(digit)] ?? "";

/** 0 to 99, with the hyphens that make espeak join the parts: "vingt-et-un", "quatre-vingt-onze". */
export function belowHundred(n: number): string {
  if (n < 20) return one(n);
  if (n === 80) return "quatre-vingts";
  if (n > 80) return `quatre-vingt-${one(n - 80)}`;
  const tens = Math.min(6, Math.floor(n / 10));
  const rest = n - tens * 10;
  if (rest === 0) return TENS[tens] ?? "";
  return `${TENS[tens]}-${rest === 1 || rest === 11 ? "et-" : ""}${one(rest)}`;
}

/** "cent" and "vingt" take an "s" where nothing follows them, before "millions" too, but not before "mille". */
function belowThousand(n: number, counted: boolean): string {
  const bare = (words: string): string => (counted ? words : words.replace(/(cent|vingt)s$/, "$1"));
  if (n < 100) return bare(belowHundred(n));
  const hundreds = Math.floor(n / 100);
  const rest = n % 100;
  const head = hundreds === 1 ? "cent" : `${one(hundreds)} cent`;
  if (rest > 0) return `${head} ${bare(belowHundred(rest))}`;
  return hundreds > 1 && counted ? `${head}s` : head;
}

/** Each digit by itself: "007" is "zéro zéro sept". */
export const digitByDigit = (digits: string): string => [...digits].map(one).join(" ");

export function cardinal(digits: string, noun?: Gender): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  if (significant.length > MAX_DIGITS) return digitByDigit(digits);
  if (significant === "0") return "zéro";
  const words = digitGroups(significant).map(({ value, scale }) => {
    if (scale === 0) return belowThousand(value, true);
    if (scale === 1) return value === 1 ? "mille" : `${belowThousand(value, false)} mille`;
    return `${belowThousand(value, true)} ${SCALES[scale]}${value > 1 ? "s" : ""}`;
  });
  const said = words.join(" ");
  return noun === "f" ? said.replace(/(^|[ -])un$/, "$1une") : said;
}

/** "deux" to "deuxième", "quatre-vingts" to "quatre-vingtième": only the end of the last word changes. */
function toOrdinal(words: string): string {
  const stem = words
    .replace(/(cent|vingt|illion|illiard)s$/, "$1")
    .replace(/cinq$/, "cinqu")
    .replace(/neuf$/, "neuv")
    .replace(/e$/, "");
  return `${stem}ième`;
}

/** The ordinal as an adjective or noun: "premier", "première", "vingt-et-unième". */
export function ordinal(digits: string, noun?: Gender): string {
  return /^0*1$/.test(digits) ? (noun === "f" ? "première" : "premier") : toOrdinal(cardinal(digits));
}

/** The name of a fraction's denominator: "demi", "tiers", "quarts", "sixièmes". */
export function denominator(digits: string, plural: boolean): string {
  const value = Number(digits);
  if (value === 2) return plural ? "demis" : "demi";
  if (value === 3) return "tiers";
  const name = value === 4 ? "quart" : toOrdinal(cardinal(digits));
  return plural ? `${name}s` : name;
}

/**
 * The digits after the comma. Zeros at the start are said one by one; the rest is said as people group it: up to three
 * digits as one number, more in pairs, with three at the end of an odd row.
 */
export function decimals(digits: string): string {
  const [zeros = ""] = /^0*/.exec(digits) ?? [];
  const rest = digits.slice(zeros.length);
  const words = [...zeros].map(one);
  if (digits.length > 8) words.push(digitByDigit(rest));
  else if (rest.length === 6) words.push(group(rest.slice(0, 3)), group(rest.slice(3)));
  else {
    let at = 0;
    while (rest.length - at > 3) {
      words.push(group(rest.slice(at, at + 2)));
      at += 2;
    }
    if (at < rest.length) words.push(group(rest.slice(at)));
  }
  return words.filter((word) => word !== "").join(" ");
}

/** A group of decimals: its own zeros are heard. */
function group(digits: string): string {
  const [zeros = ""] = /^0*/.exec(digits) ?? [];
  const rest = digits.slice(zeros.length);
  return [...[...zeros].map(one), ...(rest === "" ? [] : [cardinal(rest)])].join(" ");
}
