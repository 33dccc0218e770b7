/** Numbers in English words. Digits are strings, so that no precision is lost. */

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES = ["", "thousand", "million", "billion", "trillion", "quadrillion"];
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};
/** Past this a number is only a row of digits to a listener. */
const MAX_DIGITS = SCALES.length * 3;

export interface NumberStyle {
  /** "one hundred and five" and not "one hundred five". */
  readonly british: boolean;
}

const AMERICAN: NumberStyle = { british: false };

const one = (digit: string | number): string => ONES[Number(digit)] ?? "";

export function belowHundred(n: number): string {
  if (n < 20) return one(n);
  const tens = TENS[Math.floor(n / 10)] ?? "";
  return n % 10 === 0 ? tens : `${tens}-${one(n % 10)}`;
}

function belowThousand(n: number, style: NumberStyle): string {
  if (n < 100) return belowHundred(n);
  const rest = n % 100;
  const hundreds = `${one(Math.floor(n / 100))} hundred`;
  return rest === 0 ? hundreds : `${hundreds} ${style.british ? "and " : ""}${belowHundred(rest)}`;
}

/** Each digit by itself: "007" is "zero zero seven". */
export const digitByDigit = (digits: string): string => [...digits].map(one).join(" ");

export function cardinal(digits: string, style: NumberStyle = AMERICAN): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  if (significant.length > MAX_DIGITS) return digitByDigit(digits);
  if (significant === "0") return "zero";
  const words: string[] = [];
  const groups = Math.ceil(significant.length / 3);
  const padded = significant.padStart(groups * 3, "0");
  for (let group = 0; group < groups; group++) {
    const value = Number(padded.slice(group * 3, group * 3 + 3));
    if (value === 0) continue;
    const scale = SCALES[groups - 1 - group] ?? "";
    const joint = style.british && scale === "" && value < 100 && words.length > 0 ? "and " : "";
    words.push(`${joint}${belowThousand(value, style)}${scale === "" ? "" : ` ${scale}`}`);
  }
  return words.join(" ");
}

/** "twenty-one" to "twenty-first": only the last word changes. */
export function toOrdinal(words: string): string {
  const cut = Math.max(words.lastIndexOf(" "), words.lastIndexOf("-")) + 1;
  const last = words.slice(cut);
  const ordinal = IRREGULAR_ORDINALS[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return words.slice(0, cut) + ordinal;
}

export const ordinal = (digits: string, style: NumberStyle = AMERICAN): string => toOrdinal(cardinal(digits, style));

/** "sixty" to "sixties", "six" to "sixes": for decades and "in their thirties". */
export function toPlural(words: string): string {
  if (words.endsWith("y")) return `${words.slice(0, -1)}ies`;
  return /(?:x|s|ch|sh)$/.test(words) ? `${words}es` : `${words}s`;
}

/** Years: "1984" is "nineteen eighty-four", "2005" is "two thousand five". */
export function year(digits: string, style: NumberStyle = AMERICAN): string {
  if (digits.length !== 4 || digits.startsWith("0")) return cardinal(digits, style);
  const century = Number(digits.slice(0, 2));
  const rest = Number(digits.slice(2));
  if (digits[1] === "0" && rest < 10) return cardinal(digits, style);
  if (rest === 0) return `${belowHundred(century)} hundred`;
  return `${belowHundred(century)} ${rest < 10 ? `oh ${one(rest)}` : belowHundred(rest)}`;
}

/** "1990" of "1990s" is "nineteen nineties", "2000" is "two thousands", "90" is "nineties". */
export const decade = (digits: string): string => toPlural(digits.length === 4 ? year(digits) : cardinal(digits));

export interface WrittenNumber {
  readonly sign: "" | "minus" | "plus";
  /** Without separators; "" in ".5". */
  readonly whole: string;
  /** After the point, undefined where there is none. */
  readonly fraction: string | undefined;
  /** Whether its thousands are separated: then it is no year and no telephone number. */
  readonly grouped: boolean;
}

const NUMBER = /^([-–+]?)(\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)?(?:\.(\d+))?$/;

export function parseNumber(text: string): WrittenNumber | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign, whole, fraction] = match;
  if (whole === undefined && fraction === undefined) return undefined;
  return {
    sign: sign === "" ? "" : sign === "+" ? "plus" : "minus",
    whole: (whole ?? "").replaceAll(",", ""),
    fraction,
    grouped: whole?.includes(",") ?? false,
  };
}

/** A number as a quantity: "-1,234.05" is "minus one thousand two hundred thirty-four point zero five". */
export function quantity(number: WrittenNumber, style: NumberStyle = AMERICAN): string {
  const sign = number.sign === "" ? "" : `${number.sign} `;
  const whole =
    /^0\d/.test(number.whole) && number.fraction === undefined
      ? digitByDigit(number.whole)
      : number.whole === ""
        ? ""
        : cardinal(number.whole, style);
  const point = number.fraction === undefined ? "" : `point ${digitByDigit(number.fraction)}`;
  return sign + [whole, point].filter((part) => part !== "").join(" ");
}
