import { digitGroups } from "../rules/digit-groups.ts";

/** Numbers in Indonesian words. Digits are strings, so that no precision is lost. */

const ONES = "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas".split(" ");
const SCALES = ["", "ribu", "juta", "miliar", "triliun", "kuadriliun"];
/** A longer number is only a row of digits to a listener. */
const MAX_DIGITS = SCALES.length * 3;

const one = (digit: string | number): string => ONES[Number(digit)] ?? "";

function belowThousand(n: number): string {
  if (n < 12) return n === 0 ? "" : one(n);
  if (n < 20) return `${one(n - 10)} belas`;
  if (n < 100) return `${one(Math.floor(n / 10))} puluh ${belowThousand(n % 10)}`.trim();
  const head = n < 200 ? "seratus" : `${one(Math.floor(n / 100))} ratus`;
  return `${head} ${belowThousand(n % 100)}`.trim();
}

/** Each digit by itself: "007" is "nol nol tujuh". */
export const digitByDigit = (digits: string): string => [...digits].map(one).join(" ");

export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  if (significant.length > MAX_DIGITS) return digitByDigit(digits);
  if (significant === "0") return one(0);
  return digitGroups(significant)
    .map(({ value, scale }) =>
      scale === 1 && value === 1 ? "seribu" : `${belowThousand(value)} ${SCALES[scale] ?? ""}`.trim(),
    )
    .join(" ");
}

/** "pertama", "kedua", "kedua puluh satu". */
export const ordinal = (digits: string): string => (/^0*1$/.test(digits) ? "pertama" : `ke${cardinal(digits)}`);
