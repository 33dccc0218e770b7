import { sentences as english } from "../../tests/sentences.ts";
import { sentences } from "../languages/sentences.ts";
import { moreSentences } from "./more-sentences.ts";

export const LANGUAGES = ["en", "es", "fr", "it", "pt", "hi", "ja", "zh"] as const;

/** The sentences of a language: in English those of the tests. None has digits, which recognizers write in several ways. */
export function spokenSentences(language: string, count: number): readonly string[] {
  if (language === "en") return english.filter((text) => !/\d/.test(text)).slice(0, count);
  return [...(sentences[language] ?? []), ...(moreSentences[language] ?? [])].slice(0, count);
}
