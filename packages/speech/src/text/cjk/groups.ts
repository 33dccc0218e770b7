/** Groups of four digits, the highest first; undefined for numbers that have no name. */
export function groupsOfFour(digits: string, names: readonly string[]): { digits: string; name: string }[] | undefined {
  const count = Math.ceil(digits.length / 4);
  if (count > names.length) return undefined;
  const padded = digits.padStart(count * 4, "0");
  return Array.from({ length: count }, (_, index) => ({
    digits: padded.slice(index * 4, index * 4 + 4),
    name: names[count - 1 - index] ?? "",
  }));
}

export const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, "");

/** A number as it is written: sign, digits with or without commas, decimals. */
export const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;

/** The whole part and the decimals of a number. */
export function splitNumber(written: string): readonly [whole: string, decimals: string] {
  const [whole = "", decimals = ""] = written.replaceAll(",", "").split(".");
  return [whole, decimals];
}
