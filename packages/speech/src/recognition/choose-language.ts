import type { LanguageGuess } from "../engines/recognizer.ts";
import type { SpeechSpan } from "./spans.ts";

/** With this probability in one span, a short recording needs no second guess. */
const CERTAIN = 0.8;
/** In a longer recording another language may follow, so several spans are always checked. */
const LONG_SECONDS = 300;
const MAX_CHECKED_SPANS = 3;

/** Languages that the model reports for mumbling (Latin) and noise (Nynorsk) far too often, and the weight of such a guess. */
const unreliable: Readonly<Record<string, number>> = { la: 0.3, nn: 0.5 };

/** Whether a guess of this language can be believed by itself. */
export function isReliable(language: string): boolean {
  return !(language in unreliable);
}

/** The spans to detect the language in, best first: those with the most speech, from different parts of the recording. */
export function representativeSpans(spans: readonly SpeechSpan[]): SpeechSpan[] {
  const parts = Math.min(MAX_CHECKED_SPANS, spans.length);
  const best = Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((part * spans.length) / parts);
    const to = Math.floor(((part + 1) * spans.length) / parts);
    return spans.slice(from, to).sort((a, b) => speechSeconds(b) - speechSeconds(a))[0];
  });
  return best.flatMap((span) => span ?? []).sort((a, b) => speechSeconds(b) - speechSeconds(a));
}

/** Whether the guesses so far are enough. */
export function isDecided(guesses: readonly (readonly LanguageGuess[])[], seconds: number): boolean {
  if (guesses.length >= MAX_CHECKED_SPANS) return true;
  const first = guesses[0]?.[0];
  return seconds < LONG_SECONDS && first !== undefined && isReliable(first.language) && first.probability >= CERTAIN;
}

const CERTAIN_OTHER_LANGUAGE = 0.9;

/** Whether a recognizer for English only should check the span as well. */
export function mayBeEnglish([first]: readonly LanguageGuess[]): boolean {
  if (!first || first.language === "en") return false;
  return !isReliable(first.language) || first.probability < CERTAIN_OTHER_LANGUAGE;
}

/** The language with the highest sum of probabilities. */
export function chooseLanguage(guesses: readonly (readonly LanguageGuess[])[]): string | undefined {
  const sums = new Map<string, number>();
  for (const { language, probability } of guesses.flat()) {
    sums.set(language, (sums.get(language) ?? 0) + probability * (unreliable[language] ?? 1));
  }
  return [...sums].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function speechSeconds(span: SpeechSpan): number {
  return span.regions.reduce((sum, region) => sum + region.to - region.from, 0);
}
