import { digitGroups } from "../rules/digit-groups.ts";
import type { Gender } from "../rules/grammar.ts";

/** Numbers in German words. Digits are strings, so that no precision is lost. */

const ONES =
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(
    " ",
  );
const TENS = "_ _ zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(" ");
const SCALES: readonly (readonly [one: string, many: string])[] = [
  ["", ""],
  ["eintausend", "tausend"],
  ["eine Million", "Millionen"],
  ["eine Milliarde", "Milliarden"],
  ["eine Billion", "Billionen"],
  ["eine Billiarde", "Billiarden"],
];
/** A longer number is only a row of digits to a listener. */
const MAX_DIGITS = SCALES.length * 3;
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  eins: "erst",
  drei: "dritt",
  sieben: "siebt",
  acht: "acht",
};

const one = (digit: string | number): string => ONES[Number(digit)] ?? "";
/** "ein" inside a number: "einhundert", "ein und zwanzig". */
const inside = (n: number): string => (n === 1 ? "ein" : one(n));

/** The parts are words of their own: espeak mispronounces "fünfundvierzig" in one word. */
function belowHundred(n: number): string {
  if (n < 20) return one(n);
  const tens = TENS[Math.floor(n / 10)] ?? "";
  return n % 10 === 0 ? tens : `${inside(n % 10)} und ${tens}`;
}

function belowThousand(n: number): string {
  if (n < 100) return belowHundred(n);
  const head = `${inside(Math.floor(n / 100))}hundert`;
  return n % 100 === 0 ? head : `${head} ${belowHundred(n % 100)}`;
}

/** Each digit by itself: "007" is "null null sieben". */
export const digitByDigit = (digits: string): string => [...digits].map(one).join(" ");

export function cardinal(digits: string, noun?: Gender): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  if (significant.length > MAX_DIGITS) return digitByDigit(digits);
  if (significant === "0") return "null";
  const said = digitGroups(significant)
    .map(({ value, scale }) => {
      const [single = "", many = ""] = SCALES[scale] ?? [];
      if (scale === 0) return belowThousand(value);
      if (value === 1) return single;
      return scale === 1 ? `${belowThousand(value).replace(/eins$/, "ein")}${many}` : `${belowThousand(value)} ${many}`;
    })
    .join(" ");
  return noun === undefined ? said : said.replace(/eins$/, noun === "f" ? "eine" : "ein");
}

/** Years of the second thousand are counted in hundreds: "neunzehnhundert neun und neunzig". */
export function year(digits: string): string {
  if (!/^1[1-9]\d\d$/.test(digits)) return cardinal(digits);
  const rest = Number(digits.slice(2));
  return `${one(digits.slice(0, 2))}hundert${rest === 0 ? "" : ` ${belowHundred(rest)}`}`;
}

/** The ordinal without its ending: "erst", "zwanzigst", "ein und zwanzigst". */
export function ordinalStem(digits: string): string {
  const words = cardinal(digits);
  const last = words.slice(words.lastIndexOf(" ") + 1);
  const irregular = IRREGULAR_ORDINALS[last];
  if (irregular !== undefined) return words.slice(0, -last.length) + irregular;
  const small = Number(digits.slice(-2)) < 20 && Number(digits.slice(-2)) > 0;
  return `${words.replace(/Millionen$/, "Million")}${small ? "t" : "st"}`;
}

/** The name of a fraction's denominator: "drittel", "zwanzigstel". */
export const denominator = (digits: string): string => `${ordinalStem(digits)}el`;
