import type { EngineName } from "../speech.ts";
import type { BuiltInVoice } from "./built-in.ts";
import { defaultsFor, preferredEngines } from "./defaults.ts";
import { kokoroVoices } from "./kokoro-voices.ts";
import { piperVoices } from "./piper-voices.ts";

export type { BuiltInVoice } from "./built-in.ts";
export { preferredEngines } from "./defaults.ts";

const voicesOf: Readonly<Record<EngineName, readonly BuiltInVoice[]>> = { kokoro: kokoroVoices, piper: piperVoices };

/** The house's default first. */
export const builtInVoices: readonly BuiltInVoice[] = preferredEngines.flatMap((engine) => voicesOf[engine]);

/** Who of these voices speaks a language, or any, when nobody was named. Undefined when none of them can. */
export function defaultVoiceOf<Voice extends { readonly slug: string }>(
  voices: readonly Voice[],
  language?: string,
): Voice | undefined {
  const slugs = defaultsFor(language);
  const known = slugs.map((slug) => voices.find((voice) => voice.slug === slug)).find((voice) => voice !== undefined);
  return known ?? (language === undefined ? voices[0] : undefined);
}
