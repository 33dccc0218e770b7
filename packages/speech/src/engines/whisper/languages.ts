import { languageNames } from "../../lib/language-names.ts";

/** ISO 639-1 codes of the languages that Whisper recognizes. */
export const whisperLanguages: readonly string[] = Object.keys(languageNames);

/** Codes that differ from ISO 639-1: Javanese. Hawaiian, which has no two-letter code, is not offered. */
const ownCodes: Readonly<Record<string, string>> = { jv: "jw" };

export function whisperCode(language: string): string {
  return ownCodes[language] ?? language;
}

/** The ISO 639-1 code; undefined for the few languages that have none. */
export function isoCode(code: string): string | undefined {
  const iso = Object.keys(ownCodes).find((language) => ownCodes[language] === code) ?? code;
  return iso in languageNames ? iso : undefined;
}
