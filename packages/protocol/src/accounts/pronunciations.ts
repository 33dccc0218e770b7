import { z } from "zod";
import { apiError, describeValue } from "../wire/api-error.ts";

/** Limits of a list of pronunciations. */
export const PRONUNCIATION_LIMITS = { words: 200, wordCharacters: 64, valueCharacters: 100 } as const;

/** Words and how they are spoken. The values are checked by `checkPronunciations`. */
export const pronunciationList = z.record(z.string(), z.string()).meta({
  maxProperties: PRONUNCIATION_LIMITS.words,
  description:
    "How words are spoken, in any case of letters: a respelling (`jiff`), or phonemes between slashes, in IPA (`/nwˈɪn/`) or ARPAbet (`/N W IH1 N/`).",
});
export type PronunciationList = Readonly<Record<string, string>>;

/** The list that an account keeps. It applies to all its speech; the list of a request is preferred. */
export const pronunciationRecord = z.object({ pronunciations: pronunciationList });
export type PronunciationRecord = z.infer<typeof pronunciationRecord>;

/** Throws the 400 for the first value that is not allowed. Whether phonemes can be read is known to the engines only. */
export function checkPronunciations(list: PronunciationList): PronunciationList {
  const { words, wordCharacters, valueCharacters } = PRONUNCIATION_LIMITS;
  const entries = Object.entries(list);
  if (entries.length > words) throw invalid(`${entries.length} words`, `at most ${words} are allowed`);
  for (const [word, value] of entries) {
    if (!/^[^\s\0]+$/.test(word) || word.length > wordCharacters)
      throw invalid(word, `a word has 1 to ${wordCharacters} characters and no spaces`);
    if (value.trim() === "" || value.length > valueCharacters || value.includes("\0"))
      throw invalid(value, `a pronunciation has 1 to ${valueCharacters} characters`);
  }
  return list;
}

function invalid(value: string, allowed: string) {
  return apiError("invalid_value", { field: "pronunciations", value: describeValue(value), allowed });
}
