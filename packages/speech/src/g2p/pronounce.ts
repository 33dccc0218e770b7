import type { SpokenWord } from "../text/types.ts";
import { languageRuns } from "./by-language.ts";
import type { Espeak, PhonemeGroup } from "./espeak.ts";
import { matchWords } from "./match-words.ts";

/** A word of the chunk and its phonemes, as espeak writes them or in the symbols of an engine. */
export interface PronouncedWord {
  readonly phonemes: PhonemeGroup;
  /** The punctuation after it, which determines intonation and pauses. */
  readonly after: string;
  /** There is no space between the word before and this one: both are characters of one word. */
  readonly joined?: boolean;
}

/** Converts words of one language to phonemes: one result for each word, in order. */
export type Pronouncer = (words: readonly SpokenWord[], language: string) => PronouncedWord[];

/**
 * A pronouncer for some languages that returns an engine's own symbols. Words with given phonemes are only context for it: their
 * results are replaced.
 */
export type FrontEnd = Pronouncer;

const CACHED_WORDS = 20_000;

/** Pronounces by espeak. Works by clause, since the context matters; the result is by word. */
export function createPronouncer(espeak: Espeak): Pronouncer {
  const alone = new Map<string, PhonemeGroup[]>();

  function pronounceAlone(word: string, language: string): PhonemeGroup[] {
    const key = `${language} ${word}`;
    const known = alone.get(key);
    if (known) return known;
    if (alone.size >= CACHED_WORDS) alone.clear();
    const groups = espeak.pronounce(word, language);
    alone.set(key, groups);
    return groups;
  }

  function pronounceClause(words: readonly SpokenWord[], language: string): PhonemeGroup[] {
    const texts = words.map(({ text, phonemes }) => (phonemes === undefined ? text : standIn(phonemes)));
    const groups = espeak.pronounce(texts.join(" "), language);
    const plain = texts.every((text) => /^[\p{L}\p{M}'’]+$/u.test(text));
    if (plain && groups.length === words.length) return groups;
    return matchWords(
      texts.map((text) => pronounceAlone(text, language)),
      groups,
    );
  }

  function pronounceRun(words: readonly SpokenWord[], language: string): PronouncedWord[] {
    return clauses(words).flatMap((clause) => {
      const groups = clause.every(({ phonemes }) => phonemes !== undefined) ? [] : pronounceClause(clause, language);
      return clause.map(({ phonemes, after }, index) => ({
        phonemes: phonemes === undefined ? (groups[index] ?? []) : splitPhonemes(phonemes),
        after,
      }));
    });
  }

  return (words, language) => languageRuns(words, language).flatMap((run) => pronounceRun(run.words, run.language));
}

/** Words up to and with each one that punctuation follows. */
export function clauses(words: readonly SpokenWord[]): SpokenWord[][] {
  const all: SpokenWord[][] = [];
  let clause: SpokenWord[] = [];
  for (const word of words) {
    if (clause.length === 0) all.push(clause);
    clause.push(word);
    if (word.after !== "") clause = [];
  }
  return all;
}

/** A word of espeak's text in place of one with given phonemes, so that its neighbours are pronounced as usual. */
function standIn(ipa: string): string {
  return /^[ˈˌ]*[aeiouyæøœɐɑɒɔəɘɚɛɜɤɨɪɯɵʉʊʌʏᵻ]/u.test(ipa) ? "Anna" : "Tana";
}

/** Splits IPA that a client has written. Stress belongs to the sound after it, length and accents to the one before. */
export function splitPhonemes(ipa: string): PhonemeGroup {
  return ipa.match(/[ˈˌ]*(?:aɪ|aʊ|eɪ|oʊ|əʊ|ɔɪ|dʒ|tʃ|ts|dz|[^\sˈˌ_])(?:[ːˑʰʲ]|\p{M})*/gu) ?? [];
}
