import type { SpokenWord } from "../text/types.ts";
import type { Espeak, PhonemeGroup } from "./espeak.ts";
import { matchWords } from "./match-words.ts";

/** A word of the chunk and its phonemes. */
export interface PronouncedWord {
  readonly phonemes: PhonemeGroup;
  /** The punctuation after it, which determines intonation and pauses. */
  readonly after: string;
}

const CACHED_WORDS = 20_000;

/** Converts the words of a chunk to phonemes. Works by clause, since the context matters; the result is by word. */
export function createPronouncer(espeak: Espeak) {
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
    const groups = espeak.pronounce(words.map((word) => word.text).join(" "), language);
    const plain = words.every((word) => /^[\p{L}\p{M}'’]+$/u.test(word.text));
    if (plain && groups.length === words.length) return groups;
    return matchWords(
      words.map((word) => pronounceAlone(word.text, language)),
      groups,
    );
  }

  return (words: readonly SpokenWord[], language: string): PronouncedWord[] => {
    const pronounced: PronouncedWord[] = [];
    let clause: SpokenWord[] = [];
    const finishClause = () => {
      if (clause.length === 0) return;
      const groups = pronounceClause(clause, language);
      pronounced.push(...clause.map((word, index) => ({ phonemes: groups[index] ?? [], after: word.after })));
      clause = [];
    };
    for (const word of words) {
      if (word.phonemes !== undefined) {
        finishClause();
        pronounced.push({ phonemes: splitPhonemes(word.phonemes), after: word.after });
        continue;
      }
      clause.push(word);
      if (word.after !== "") finishClause();
    }
    finishClause();
    return pronounced;
  };
}

export type Pronouncer = ReturnType<typeof createPronouncer>;

/** Splits IPA that a client has written. Stress belongs to the sound after it, length and accents to the one before. */
export function splitPhonemes(ipa: string): PhonemeGroup {
  return ipa.match(/[ˈˌ]*(?:aɪ|aʊ|eɪ|oʊ|əʊ|ɔɪ|dʒ|tʃ|ts|dz|[^\sˈˌ_])(?:[ːˑʰʲ]|\p{M})*/gu) ?? [];
}
