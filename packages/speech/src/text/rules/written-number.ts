import type { Gender, NumberWords } from "./grammar.ts";

export interface WrittenNumber {
  readonly sign: "" | "-" | "+";
  /** Without separators. */
  readonly whole: string;
  /** After the decimal mark, undefined where there is none. */
  readonly fraction: string | undefined;
  /** The decimal mark that was written. */
  readonly mark: "," | ".";
  /** Whether its thousands are separated. */
  readonly grouped: boolean;
}

const COMMA = /^([-–+]?)(\d{1,3}(?:\.\d{3})+|\d+)?(?:,(\d+))?$/;
const POINT = /^([-–+]?)(\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)?(?:\.(\d+))?$/;

/**
 * A number as it is written where `mark` is before the decimals. The other mark is taken for it where it cannot separate
 * thousands: "3.14" in Spanish.
 */
export function parseNumber(text: string, mark: "," | "."): WrittenNumber | undefined {
  const other = mark === "," ? "." : ",";
  const bare = text.replaceAll("\u2009", "");
  return parseWith(bare, mark) ?? parseWith(bare, other);
}

function parseWith(text: string, mark: "," | "."): WrittenNumber | undefined {
  const match = (mark === "," ? COMMA : POINT).exec(text);
  if (match === null) return undefined;
  const [, sign, whole, fraction] = match;
  if ((whole === undefined && fraction === undefined) || /^0[.,]/.test(whole ?? "")) return undefined;
  return {
    sign: sign === "" ? "" : sign === "+" ? "+" : "-",
    whole: (whole ?? "0").replace(/[.,]/g, ""),
    fraction,
    mark,
    grouped: /[.,]/.test(whole ?? ""),
  };
}

/** Past this many digits a number without separators is a code: an account, an order, a key. */
const LONGEST_QUANTITY = 24;

/** "-1.234,5" as it is said, in the form before a noun of that gender. */
export function sayNumber(words: NumberWords, number: WrittenNumber, noun?: Gender): string {
  const sign = number.sign === "" ? "" : `${number.sign === "-" ? words.minus : words.plus} `;
  const { whole, fraction } = number;
  const code = (/^0\d/.test(whole) && fraction === undefined) || whole.length > LONGEST_QUANTITY;
  if (code) return sign + words.digits(whole);
  if (fraction === undefined) return sign + words.cardinal(whole, noun);
  return `${sign}${words.cardinal(whole, words.wholeAgrees === true && noun === "f" ? noun : undefined)} ${words.point(number.mark)} ${words.decimals(fraction, noun)}`;
}

/** Whether it takes the singular. */
export const isOne = (number: WrittenNumber): boolean => number.whole === "1" && number.fraction === undefined;
