import { engineDescriptor } from "../engines/registry.ts";
import type { EngineName } from "../speech.ts";

/** A language that every voice of an engine can speak. */
export interface EngineLanguage {
  /** BCP 47: "pt-BR". */
  readonly tag: string;
  /** As espeak names it: "pt-br". */
  readonly name: string;
}

/** The languages of an engine are those of its voices, the preferred one of each first. */
export function engineLanguages(engine: EngineName): readonly EngineLanguage[] {
  const found = new Map<string, EngineLanguage>();
  for (const { language, engineVoice } of engineDescriptor(engine).voices) {
    if (!found.has(engineVoice.language))
      found.set(engineVoice.language, { tag: language, name: engineVoice.language });
  }
  return [...found.values()];
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
