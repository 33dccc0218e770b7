import { readerFor } from "../rules/engine.ts";
import type { Language } from "../rules/reader.ts";
import { DATE_GRAMMAR, DATE_RULES } from "./dates.ts";
import { ROMAN, SPECIAL_RULES } from "./special.ts";
import { WORD_GRAMMAR } from "./words.ts";

const reader = readerFor({
  ...WORD_GRAMMAR,
  ...DATE_GRAMMAR,
  roman: ROMAN,
  special: [...SPECIAL_RULES, ...DATE_RULES],
});

/** The basics: numbers, dates, times, money, units and common abbreviations. */
export const german: Language = { code: "de", reader: () => reader };
