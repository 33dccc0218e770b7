import type { RecognizedSpeech } from "../engines/recognizer.ts";

/*
 * Models return some text even without speech. Their confidence is low then, or the model reports that there is no speech.
 * But confidence is also low for mumbled words and for dialects, so the certainty of the voice detector counts first.
 */
const CERTAIN_VOICE = 0.85;
const MIN_CONFIDENCE = -0.9;
const MIN_CONFIDENCE_WITH_VOICE = -1.6;
const LIKELY_SILENCE = 0.6;
const CERTAIN_WORDS = -0.5;
/** A recognizer that rejects non-speech returns an empty text with at least this confidence when there is no voice. */
const CERTAIN_NO_SPEECH = -0.3;

/** For other languages a recognizer for English only returns nonsense, with a lower confidence. */
const CERTAIN_ENGLISH = -0.2;
const MIN_ENGLISH_WORDS = 3;

/** Whether the text was really spoken. `voiceCertainty` is that of the voice detector. */
export function isCredible(result: RecognizedSpeech, voiceCertainty: number): boolean {
  const { confidence, silence } = result;
  if (isCertainVoice(voiceCertainty)) return confidence >= MIN_CONFIDENCE_WITH_VOICE;
  return confidence >= MIN_CONFIDENCE && (silence < LIKELY_SILENCE || confidence >= CERTAIN_WORDS);
}

export function isCertainVoice(voiceCertainty: number): boolean {
  return voiceCertainty >= CERTAIN_VOICE;
}

/** For results of a recognizer that rejects non-speech. */
export function isNoSpeech({ text, confidence }: RecognizedSpeech): boolean {
  return text === "" && confidence >= CERTAIN_NO_SPEECH;
}

/** For results of a recognizer for English only. */
export function isCertainEnglish({ words, confidence }: Pick<RecognizedSpeech, "words" | "confidence">): boolean {
  return words.length >= MIN_ENGLISH_WORDS && confidence >= CERTAIN_ENGLISH;
}
