import type { EngineLanguage } from "../engines/descriptor.ts";
import { engineDescriptor } from "../engines/registry.ts";
import type { EngineName } from "../speech.ts";

/** The languages of an engine: those of its voices, the preferred one of each first, then approximate ones. */
export function engineLanguages(engine: EngineName): readonly EngineLanguage[] {
  const found = new Map<string, EngineLanguage>();
  const { voices, approximateLanguages = [] } = engineDescriptor(engine);
  for (const { language, engineVoice } of voices) {
    if (!found.has(engineVoice.language))
      found.set(engineVoice.language, { tag: language, name: engineVoice.language });
  }
  return [...found.values(), ...approximateLanguages];
}

/** The engine's language for a BCP 47 tag: the same one, or another variety of it; `preferred` where it is one of those. */
export function findEngineLanguage(engine: EngineName, tag: string, preferred?: string): EngineLanguage | undefined {
  const languages = engineLanguages(engine);
  const wanted = tag.toLowerCase().replaceAll("_", "-");
  const exact = languages.find((language) => language.tag.toLowerCase() === wanted || language.name === wanted);
  if (exact) return exact;
  const same = languages.filter((language) => baseOf(language.tag) === baseOf(wanted));
  return same.find(({ name }) => name === preferred) ?? same[0];
}

const baseOf = (tag: string): string => tag.split("-")[0]?.toLowerCase() ?? "";
