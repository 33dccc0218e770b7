import type { EngineVoice } from "../engines/engine.ts";
import type { EngineName, SpeechSettings, SpeechVoice } from "../speech.ts";
import {
  canBeRead,
  createLanguageFinder,
  type FinderOf,
  type LanguageFinder,
  type LatinScores,
} from "../text/index.ts";
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
): FinderOf {
  const finders = new Map<SpeechVoice, Map<string, LanguageFinder>>();
  return (speaker, marked) => {
    const voice = voiceOf(settings, speaker);
    const own = engineVoiceOf(voice).language;
    // A language that the voice does not speak is found, as without the mark.
    const named = marked === undefined ? undefined : findEngineLanguage(voice.engine, marked, own)?.name;
    const ofVoice = finders.get(voice) ?? new Map<string, LanguageFinder>();
    finders.set(voice, ofVoice);
    const known = ofVoice.get(named ?? "");
    if (known) return known;
    const finder = createLanguageFinder({
      voiceLanguage: named ?? languageOf(settings, voice, engineVoiceOf(voice)),
      languages: engineLanguages(voice.engine).map(({ name }) => name),
      latinScores,
      pinned: named !== undefined || settings.language !== undefined,
    });
    ofVoice.set(named ?? "", finder);
    return finder;
  };
}
