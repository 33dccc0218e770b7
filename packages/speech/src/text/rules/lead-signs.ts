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
export function leadSigns(words: LeadWords): ReadonlyMap<string, string> {
  const { about, less, more, atMost, atLeast, plusMinus } = words;
  const all = { "~": about, "≈": about, "<": less, ">": more, "≤": atMost, "≥": atLeast, "±": plusMinus };
  return new Map(Object.entries(all));
}
