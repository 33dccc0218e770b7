import type { EngineName } from "../speech.ts";

/** The engines, the one that the house prefers first. The next ones speak where it is not installed or cannot be loaded. */
export const preferredEngines: readonly EngineName[] = ["kokoro", "piper"];

/** Who speaks a language when nobody was named, the best first. "" is who speaks when no language was named either. */
export const defaultVoices: Readonly<Record<string, readonly string[]>> = {
  "": ["af_heart", "clara"],
  "en-GB": ["bf_emma", "af_heart", "clara"],
  en: ["af_heart", "clara"],
  es: ["ef_dora"],
  fr: ["ff_siwis"],
  hi: ["hf_alpha"],
  it: ["if_sara"],
  pt: ["pf_dora"],
};

/** The slugs to try for a BCP 47 tag, in order: those of the tag itself, or of its language. */
export function defaultsFor(language = ""): readonly string[] {
  return defaultVoices[language] ?? defaultVoices[language.split("-")[0]?.toLowerCase() ?? ""] ?? [];
}
