/** What the signs before a number mean. */
export interface LeadWords {
  /** "~" and "≈". */
  readonly about: string;
  readonly less: string;
  readonly more: string;
  readonly atMost: string;
  readonly atLeast: string;
  readonly plusMinus: string;
}

/** The words of each sign, for `SymbolWords.leads`. */
export function leadSigns(words: LeadWords): Readonly<Record<string, string>> {
  const { about, less, more, atMost, atLeast, plusMinus } = words;
  return { "~": about, "≈": about, "<": less, ">": more, "≤": atMost, "≥": atLeast, "±": plusMinus };
}
