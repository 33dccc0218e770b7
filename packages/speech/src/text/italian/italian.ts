import { readerFor } from "../rules/engine.ts";
import type { Language } from "../rules/reader.ts";
import { ABBREVIATIONS, TITLE_RULES } from "./abbreviations.ts";
import { DATE_GRAMMAR } from "./dates.ts";
import { NUMBER_GRAMMAR, NUMBER_RULES } from "./numbers.ts";
import { UNIT_WORDS } from "./units.ts";
import { WORD_GRAMMAR } from "./words.ts";

const reader = readerFor({
  ...NUMBER_GRAMMAR,
  ...DATE_GRAMMAR,
  ...WORD_GRAMMAR,
  units: UNIT_WORDS,
  abbreviations: ABBREVIATIONS,
  special: [...TITLE_RULES, ...NUMBER_RULES],
});

export const italian: Language = { code: "it", reader: () => reader };
