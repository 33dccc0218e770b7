import type { LanguageGuess } from "../engines/whisper/whisper.ts";
import type { Stretch } from "./spans.ts";

/** As sure as this after one stretch, a short recording needs no second opinion. */
const SURE = 0.8;
/** In a recording this long somebody else may speak later: several stretches are asked in any case. */
const LONG_SECONDS = 300;
const MOST_OPINIONS = 3;

/** The model takes mumbling for Latin, and noise for Nynorsk, far more often than anybody speaks them. */
const believed: Readonly<Record<string, number>> = { la: 0.3, nn: 0.5 };

/** Which stretches to ask for the language, the most telling first: those with the most speech, spread over the recording. */
export function tellingStretches(stretches: readonly Stretch[]): Stretch[] {
  const parts = Math.min(MOST_OPINIONS, stretches.length);
  const best = Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((part * stretches.length) / parts);
    const to = Math.floor(((part + 1) * stretches.length) / parts);
    return stretches.slice(from, to).sort((a, b) => spokenSeconds(b) - spokenSeconds(a))[0];
  });
  return best.flatMap((stretch) => stretch ?? []).sort((a, b) => spokenSeconds(b) - spokenSeconds(a));
}

/** Whether more stretches have to be asked. */
export function isSettled(opinions: readonly (readonly LanguageGuess[])[], seconds: number): boolean {
  if (opinions.length >= MOST_OPINIONS) return true;
  const first = opinions[0]?.[0];
  return seconds < LONG_SECONDS && first !== undefined && !(first.language in believed) && first.probability >= SURE;
}

const SURE_OF_OTHER = 0.9;

/** Whether a model that knows only English should be asked as well. */
export function mayBeEnglish([first]: readonly LanguageGuess[]): boolean {
  if (!first || first.language === "en") return false;
  return first.language in believed || first.probability < SURE_OF_OTHER;
}

/** The language that the opinions together hold for the likeliest. */
export function chooseLanguage(opinions: readonly (readonly LanguageGuess[])[]): string | undefined {
  const votes = new Map<string, number>();
  for (const { language, probability } of opinions.flat()) {
    votes.set(language, (votes.get(language) ?? 0) + probability * (believed[language] ?? 1));
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function spokenSeconds(stretch: Stretch): number {
  return stretch.regions.reduce((sum, region) => sum + region.to - region.from, 0);
}
