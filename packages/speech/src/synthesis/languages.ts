import type { EngineVoice } from "../engines/engine.ts";
import type { EngineName, SpeechSettings, SpeechVoice } from "../speech.ts";
import { canBeRead, createLanguageFinder, type LanguageFinder, type LatinScores } from "../text/index.ts";
import { engineLanguages, findEngineLanguage } from "../voices/engine-languages.ts";
import { voiceOf } from "./speak.ts";

/** The language of a request for one voice, as espeak names it: the one that it pins, or the voice's own. */
export function languageOf(settings: SpeechSettings, voice: SpeechVoice, { language }: EngineVoice): string {
  if (settings.language === undefined) return language;
  return findEngineLanguage(voice.engine, settings.language, language)?.name ?? language;
}

/** Whether a text has anything that the voices of an engine can read. A text without letters counts as readable. */
export function canSpeak(engine: EngineName, text: string): boolean {
  return canBeRead(
    text,
    engineLanguages(engine).map(({ name }) => name),
  );
}

/** Finds languages for each speaker of a request. */
export function findersOf(
  settings: SpeechSettings,
  engineVoiceOf: (voice: SpeechVoice) => EngineVoice,
  latinScores: LatinScores | undefined,
): (speaker: number) => LanguageFinder {
  const finders = new Map<SpeechVoice, LanguageFinder>();
  return (speaker) => {
    const voice = voiceOf(settings, speaker);
    const known = finders.get(voice);
    if (known) return known;
    const finder = createLanguageFinder({
      voiceLanguage: languageOf(settings, voice, engineVoiceOf(voice)),
      languages: engineLanguages(voice.engine).map(({ name }) => name),
      latinScores,
      pinned: settings.language !== undefined,
    });
    finders.set(voice, finder);
    return finder;
  };
}
