import { readerFor } from "../rules/engine.ts";
import type { Language } from "../rules/reader.ts";
import { ABBREVIATIONS, TITLE_RULES } from "./abbreviations.ts";
import { DATE_RULES, DATES } from "./dates.ts";
import { NUMBER_GRAMMAR, NUMBER_RULES } from "./numbers.ts";
import { TIME_RULES, TIMES } from "./times.ts";
import { UNIT_WORDS } from "./units.ts";
import { WORD_GRAMMAR } from "./words.ts";

const reader = readerFor({
  ...NUMBER_GRAMMAR,
  ...WORD_GRAMMAR,
  units: UNIT_WORDS,
  dates: DATES,
  times: TIMES,
  abbreviations: ABBREVIATIONS,
  special: [...TITLE_RULES, ...DATE_RULES, ...TIME_RULES, ...NUMBER_RULES],
});

export const french: Language = { code: "fr", reader: () => reader };
