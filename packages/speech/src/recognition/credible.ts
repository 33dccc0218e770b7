import type { Heard } from "../engines/recognizer.ts";

/*
 * Models write something even where nobody speaks. Then they are unsure of every word, or Whisper says itself that there is
 * no speech. But they are unsure, too, of words that are mumbled, or said in a dialect: so how sure it is that there is a
 * voice at all counts first.
 */
const SURE_OF_VOICE = 0.85;
const LEAST_CONFIDENCE = -0.9;
const LEAST_CONFIDENCE_WITH_VOICE = -1.6;
const SURE_OF_SILENCE = 0.6;
const SURE_OF_WORDS = -0.5;
/** Moonshine writes nothing where it hears no English; with this confidence it hears no voice. */
const SURE_OF_NOTHING = -0.3;

/** Of what is not English it writes nonsense, and knows it. */
const SURE_OF_ENGLISH = -0.2;
const TELLING_WORDS = 3;

/** Whether somebody said this. `certainty` is that of the voice. */
export function isCredible(heard: Heard, certainty: number): boolean {
  if (isVoice(certainty)) return heard.confidence >= LEAST_CONFIDENCE_WITH_VOICE;
  return heard.confidence >= LEAST_CONFIDENCE && (heard.silence < SURE_OF_SILENCE || heard.confidence >= SURE_OF_WORDS);
}

export function isVoice(certainty: number): boolean {
  return certainty >= SURE_OF_VOICE;
}

export function heardNobody({ text, confidence }: Heard): boolean {
  return text === "" && confidence >= SURE_OF_NOTHING;
}

/** For what Moonshine heard. */
export function heardEnglish({ words, confidence }: Heard): boolean {
  return words.length >= TELLING_WORDS && confidence >= SURE_OF_ENGLISH;
}
