import type { SpokenWord } from "../text/types.ts";

/** Consecutive words that are read in the same language. */
export interface LanguageRun {
  readonly language: string;
  readonly words: readonly SpokenWord[];
}

/** Splits the words of a chunk where their language changes. `language` is that of words without their own. */
export function languageRuns(words: readonly SpokenWord[], language: string): LanguageRun[] {
  const runs: { language: string; words: SpokenWord[] }[] = [];
  for (const word of words) {
    const own = word.language ?? language;
    const last = runs.at(-1);
    if (last?.language === own) last.words.push(word);
    else runs.push({ language: own, words: [word] });
  }
  return runs;
}
