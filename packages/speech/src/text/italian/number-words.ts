import { digitGroups } from "../rules/digit-groups.ts";
import type { Gender } from "../rules/grammar.ts";

/** Numbers in Italian words. Digits are strings, so that no precision is lost. */

const ONES =
  "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove".split(
    " ",
  );
const TENS = "_ _ venti trenta quaranta cinquanta sessanta settanta ottanta novanta".split(" ");
const SCALES: readonly (readonly [one: string, many: string])[] = [
  ["", ""],
  ["mille", "mila"],
  ["un milione", "milioni"],
  ["un miliardo", "miliardi"],
  ["un bilione", "bilioni"],
  ["un biliardo", "biliardi"],
];
/** A longer number is only a row of digits to a listener. */
const MAX_DIGITS = SCALES.length * 3;
const ORDINALS = "_ primo secondo terzo quarto quinto sesto settimo ottavo nono decimo".split(" ");

const one = (digit: string | number): string => ONES[Number(digit)] ?? "";

export function belowHundred(n: number): string {
  if (n < 20) return one(n);
  const tens = TENS[Math.floor(n / 10)] ?? "";
  const rest = n % 10;
  if (rest === 0) return tens;
  // "ventuno", "ventotto": the vowel of the tens is dropped before another vowel. The accent marks the stressed end.
  return `${rest === 1 || rest === 8 ? tens.slice(0, -1) : tens}${rest === 3 ? "tré" : one(rest)}`;
}

/** Hundreds are a word of their own: espeak stresses and voices the parts better than those of one long word. */
function belowThousand(n: number): string {
  if (n < 100) return belowHundred(n);
  const hundreds = Math.floor(n / 100);
  const head = `${hundreds === 1 ? "" : one(hundreds)}cento`;
  return n % 100 === 0 ? head : `${head} ${belowHundred(n % 100)}`;
}

/** Each digit by itself: "007" is "zero zero sette". */
export const digitByDigit = (digits: string): string => [...digits].map(one).join(" ");

/** "milioni" is a word of its own, "mila" the end of one: "quarantatremila". */
function scaled(value: number, scale: number): string {
  const [single = "", many = ""] = SCALES[scale] ?? [];
  if (value === 1) return single;
  const said = belowThousand(value);
  return scale === 1 ? `${said.replace(/tré$/, "tre").replace(/uno$/, "un")}${many}` : `${elided(said)} ${many}`;
}

/** "uno" before a noun: "ventun milioni". */
const elided = (said: string): string => said.replace(/uno$/, "un");

function plainCardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  if (significant.length > MAX_DIGITS) return digitByDigit(digits);
  if (significant === "0") return "zero";
  return digitGroups(significant)
    .map(({ value, scale }) => (scale === 0 ? belowThousand(value) : scaled(value, scale)))
    .join(" ");
}

/** A number, in the form before a noun of that gender if there is one: "un", "una". */
export function cardinal(digits: string, noun?: Gender): string {
  if (noun !== undefined && /^0*1$/.test(digits)) return noun === "f" ? "una" : "un";
  return plainCardinal(digits);
}

/** "ventitré" to "ventitreesimo", "trecento" to "trecentesimo". */
function toOrdinal(value: string): string {
  const words = cardinal(value);
  if (Number(value) > 10 && Number(value) < 10_000 && words.endsWith("mila"))
    return `${words.replace(/mila$/, "mill")}esimo`;
  const stem = words.replace(/tré$/, "tre");
  if (/(?:^|[a-z])(?:tre|sei)$/.test(stem) && !/^(?:tre|sei)$/.test(stem)) return `${stem}esimo`;
  return `${stem.replace(/(?:mila|[aeiou])$/, (end) => (end === "mila" ? "mill" : ""))}esimo`;
}

/** "primo", "terza", "ventunesimo", "centesime". */
export function ordinal(digits: string, gender: Gender = "m", plural = false): string {
  const value = digits.replace(/^0+(?=\d)/, "");
  if (value.length > MAX_DIGITS) return digitByDigit(digits);
  const said = Number(value) === 0 ? "zeresimo" : (ORDINALS[Number(value)] ?? toOrdinal(value));
  const end = gender === "f" ? (plural ? "e" : "a") : plural ? "i" : "o";
  return said.replace(/o$/, end);
}

/** The name of a fraction's denominator: "mezzo", "terzi", "quarto", "decimi". */
export function denominator(digits: string, plural: boolean): string {
  if (Number(digits) === 2) return plural ? "mezzi" : "mezzo";
  return ordinal(digits, "m", plural);
}

/** The digits after the comma: zeros one by one, then up to three digits as a number; longer rows digit by digit. */
export function decimals(digits: string): string {
  const [zeros = ""] = /^0*/.exec(digits) ?? [];
  const rest = digits.slice(zeros.length);
  if (rest.length > 3) return digitByDigit(digits);
  return [...[...zeros].map(one), ...(rest === "" ? [] : [cardinal(rest)])].join(" ");
}
