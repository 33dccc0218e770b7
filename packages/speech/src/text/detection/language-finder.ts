import { COMMON_LANGUAGES, functionWordShare, greetingShare } from "./common-words.ts";
import type { LatinScores } from "./latin-scores.ts";
import { baseOf, countScripts, type Script, scriptsOf } from "./scripts.ts";

/** Finds the language of sentences and of words in another script, for one voice. Languages are named as espeak does. */
export interface LanguageFinder {
  /** False where all sentences are in the same language, whatever they say. */
  readonly dependsOnText: boolean;
  /** The language of a sentence, by its beginning and the language of the sentence before. */
  ofSentence(beginning: string, previous: string | undefined): string;
  /** The language in which a word of a sentence is read; undefined where no language of the voice has its letters. */
  ofWord(word: string, sentenceLanguage: string): string | undefined;
}

export interface FinderOptions {
  /** The voice's own language: it is taken where the text does not decide. */
  readonly voiceLanguage: string;
  /** The languages that the voice can speak. */
  readonly languages: readonly string[];
  /** Without it, Latin letters are read in the voice's language or that of the sentence before. */
  readonly latinScores?: LatinScores | undefined;
  /** All sentences are in the voice's language. */
  readonly pinned?: boolean | undefined;
}

/** Scores of two languages that differ by less do not decide. */
const MARGIN = 0.06;
/** Few words are easily taken for another language: the difference has to be larger. */
const SHORT_TEXT_MARGIN = 0.08;
const SHORT_TEXT_WORDS = 4;
/** Fewer letters fit any language. */
const MIN_JUDGED_LETTERS = 6;
/** What a text of common words only adds to the score of their language. */
const COMMON_WORDS_SCORE = 0.2;

export function createLanguageFinder(options: FinderOptions): LanguageFinder {
  const { voiceLanguage, languages, latinScores, pinned = false } = options;
  const named = (base: string): string | undefined =>
    baseOf(voiceLanguage) === base ? voiceLanguage : languages.find((language) => baseOf(language) === base);
  const writtenIn = (script: Script): readonly string[] => languages.filter((each) => scriptsOf(each).includes(script));

  /** The first of some languages in the order of preference. */
  function preferred(candidates: readonly string[], previous: string | undefined): string | undefined {
    if (candidates.includes(voiceLanguage)) return voiceLanguage;
    return previous !== undefined && candidates.includes(previous) ? previous : candidates[0];
  }

  function ofLatin(text: string, previous: string | undefined): string | undefined {
    const candidates = writtenIn("latin");
    const usual = preferred(candidates, previous);
    if (candidates.length < 2 || latinScores === undefined) return usual;
    const scores = scoresOf(text, latinScores);
    const best = Math.max(0, ...scores.values());
    if (best === 0) return previous !== undefined && candidates.includes(previous) ? previous : usual;
    const margin = (text.match(/\p{L}+/gu) ?? []).length < SHORT_TEXT_WORDS ? SHORT_TEXT_MARGIN : MARGIN;
    const close = [...scores]
      .filter(([, score]) => score >= best - margin)
      .sort(([, a], [, b]) => b - a)
      .map(([base]) => named(base))
      .filter((each) => each !== undefined);
    return preferred(close, previous) ?? usual;
  }

  return {
    dependsOnText: !pinned && languages.length > 1,
    ofSentence(beginning, previous) {
      if (pinned) return voiceLanguage;
      const text = withoutMarks(beginning);
      const counts = countScripts(text);
      const cjk = (counts.get("kana") ?? 0) + (counts.get("han") ?? 0);
      const [script, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ["latin", 0]);
      if (count === 0) return previous ?? voiceLanguage;
      // A character of Chinese or Japanese is about as long as three letters.
      if (cjk * 3 >= count && cjk > 0 && script !== "devanagari") {
        const kana = counts.has("kana") ? writtenIn("kana") : [];
        return preferred(kana.length > 0 ? kana : chineseFirst(writtenIn("han")), previous) ?? voiceLanguage;
      }
      if (script === "latin") return ofLatin(text, previous) ?? voiceLanguage;
      return preferred(writtenIn(script), previous) ?? voiceLanguage;
    },
    ofWord(word, sentenceLanguage) {
      const scripts = [...countScripts(word).keys()];
      const known = scriptsOf(sentenceLanguage);
      const foreign = scripts.find((script) => !known.includes(script));
      if (foreign === undefined || scripts.some((script) => known.includes(script))) return sentenceLanguage;
      const candidates = writtenIn(foreign);
      if (foreign === "latin") return preferred(candidates, undefined);
      return preferred(foreign === "han" ? chineseFirst(candidates) : candidates, undefined);
    },
  };
}

const chineseFirst = (languages: readonly string[]): readonly string[] =>
  [...languages].sort((a, b) => Number(baseOf(b) === "zh") - Number(baseOf(a) === "zh"));

/** Names look like another language than the sentence around them: words with a capital are judged at its start only. */
function scoresOf(text: string, latinScores: LatinScores): ReadonlyMap<string, number> {
  const words = text.match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];
  const lower = words.map((word) => word.toLowerCase().replaceAll("’", "'"));
  const isShouted = words.length > 2 && words.every((word) => word === word.toUpperCase());
  const small = words.filter((word) => word === word.toLowerCase()).length;
  const judged = lower.filter((word, index) => isShouted || word === words[index] || (index === 0 && small > 0));
  const decides = judged.length > 1 && judged.join("").length >= MIN_JUDGED_LETTERS;
  const fits = decides ? latinScores(judged) : {};
  const scores = new Map<string, number>();
  for (const language of new Set([...Object.keys(fits), ...COMMON_LANGUAGES])) {
    const common = (decides ? functionWordShare(judged, language) : 0) + greetingShare(lower, language);
    const score = (fits[language] ?? 0) + common * COMMON_WORDS_SCORE;
    if (score > 0) scores.set(language, score);
  }
  return scores;
}

/** Marks and addresses say nothing about the language. */
function withoutMarks(text: string): string {
  return text.replace(/<\|[^|]*(?:\|>|$)|\[[^\]]*(?:\]|$)|https?:\S*|\S*@\S*/g, " ");
}
