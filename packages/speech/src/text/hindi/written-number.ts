import { cardinal, digitByDigit, quarters } from "./number-words.ts";

export interface WrittenNumber {
  readonly sign: string;
  /** Without separators. */
  readonly whole: string;
  /** After the point, undefined where there is none. */
  readonly fraction: string | undefined;
}

/** Digits with an optional point, thousands or lakhs separated by commas. */
export const NUMBER = "\\d{1,3}(?:,\\d{2,3})*,\\d{3}(?:\\.\\d+)?|\\d+(?:\\.\\d+)?|\\.\\d+";
const WHOLE_NUMBER = new RegExp(`^([-–+±]?)(${NUMBER})$`);
const SIGNS: Readonly<Record<string, string>> = {
  "": "",
  "-": "माइनस ",
  "–": "माइनस ",
  "+": "प्लस ",
  "±": "प्लस माइनस ",
};

export function parseNumber(text: string): WrittenNumber | undefined {
  const [, sign = "", body] = WHOLE_NUMBER.exec(text) ?? [];
  if (body === undefined) return undefined;
  const [whole = "", fraction] = body.replaceAll(",", "").split(".");
  return { sign: SIGNS[sign] ?? "", whole: whole === "" ? "0" : whole, fraction };
}

export const isOne = (number: WrittenNumber): boolean =>
  number.sign === "" && number.whole === "1" && number.fraction === undefined;

/** "-12.05" is "माइनस बारह दशमलव शून्य पाँच". Zeros at the start make a code: "007". */
export function quantity({ sign, whole, fraction }: WrittenNumber): string {
  if (fraction === undefined) return sign + (/^0\d/.test(whole) ? digitByDigit(whole) : cardinal(whole));
  return `${sign}${cardinal(whole)} दशमलव ${digitByDigit(fraction)}`;
}

const QUARTERS: Readonly<Record<string, 25 | 50 | 75>> = { "5": 50, "25": 25, "75": 75, "50": 50 };

/** A number that has quarters in words: "3.5" is "साढ़े तीन"; undefined for any other. */
export function quarterQuantity({ sign, whole, fraction }: WrittenNumber): string | undefined {
  const quarter = QUARTERS[fraction ?? ""];
  return quarter === undefined || whole.length > 3 ? undefined : sign + quarters(Number(whole), quarter);
}
