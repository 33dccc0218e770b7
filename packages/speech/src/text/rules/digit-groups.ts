/** Three digits of a number. */
export interface DigitGroup {
  readonly value: number;
  /** 0 for the last three digits, 1 for thousands, 2 for millions. */
  readonly scale: number;
}

/** The groups of three digits of a number from the front, without those that are zero. */
export function digitGroups(digits: string): DigitGroup[] {
  const count = Math.ceil(digits.length / 3);
  const padded = digits.padStart(count * 3, "0");
  return Array.from({ length: count }, (_, index) => ({
    value: Number(padded.slice(index * 3, index * 3 + 3)),
    scale: count - 1 - index,
  })).filter(({ value }) => value > 0);
}
