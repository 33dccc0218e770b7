import { findNgram, NGRAM_BYTES, ngramKey, readNgrams } from "./ngram-table.ts";

/** How well words in Latin letters fit each language, 0 to 1, by ISO 639-1 code. Languages that do not fit are left out. */
export type LatinScores = (words: readonly string[]) => Readonly<Record<string, number>>;

/**
 * The languages of the table, in the order of its scores. Also Dutch, which no voice speaks, so that it is not taken for another
 * one. The scores of Indonesian are those of Malay.
 */
export const NGRAM_LANGUAGES = ["de", "en", "es", "fr", "it", "id", "nl", "pt"] as const;

/** From one n-gram of a word to the next. */
const STEP_BYTES = 3;
const LONGEST_WORD_BYTES = 70;
/** The score of an n-gram is stored without the least one. */
const LEAST_SCORE = 53;
/** The mean score of an n-gram that makes a fit of one half. */
const HALF_FIT = 25;

const asset = new URL("../../../assets/latin-ngrams/ngrams.bin.br", import.meta.url);

/** Scores as the detector ELD gives them (npmjs.com/package/eld, its set "extrasmall"), for a few languages only. */
export async function loadLatinScores(): Promise<LatinScores> {
  const { keys, scores } = await readNgrams(asset);
  return (words) => {
    const ngrams = ngramsOf(words);
    const sums = NGRAM_LANGUAGES.map(() => 0);
    for (const ngram of ngrams) {
      const row = findNgram(keys, ngram) * NGRAM_LANGUAGES.length;
      if (row < 0) continue;
      for (const language of sums.keys()) {
        const score = scores[row + language] ?? 0;
        if (score > 0) sums[language] = (sums[language] ?? 0) + score + LEAST_SCORE;
      }
    }
    const fits: Record<string, number> = {};
    NGRAM_LANGUAGES.forEach((language, index) => {
      const mean = (sums[index] ?? 0) / ngrams.size;
      if (mean > 0) fits[language] = mean / (mean + HALF_FIT);
    });
    return fits;
  };
}

/** Four bytes at every third one, and the last four. */
function ngramsOf(words: readonly string[]): ReadonlySet<number> {
  const ngrams = new Set<number>();
  for (const word of words) {
    const bytes = Buffer.from(word).subarray(0, LONGEST_WORD_BYTES);
    let at = 0;
    for (; at + NGRAM_BYTES < bytes.length; at += STEP_BYTES)
      ngrams.add(ngramKey(bytes.subarray(at, at + NGRAM_BYTES), at === 0, false));
    ngrams.add(ngramKey(bytes.subarray(Math.max(0, bytes.length - NGRAM_BYTES)), at === 0, true));
  }
  return ngrams;
}
