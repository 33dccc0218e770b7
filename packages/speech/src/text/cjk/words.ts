import type { SpokenWord } from "../types.ts";

interface WordInText {
  readonly word: SpokenWord;
  /** It belongs to the previous word. */
  readonly joined: boolean;
}

/** Languages that are written without spaces: their tokens are characters. */
export const isUnspaced = (language: string): boolean => /^(?:ja|zh)\b/i.test(language);

/** A text without a border for this many characters may be split anywhere. */
const LONGEST_WORD = 16;

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  const code = language.slice(0, 2).toLowerCase();
  const known = segmenters.get(code) ?? new Intl.Segmenter(code, { granularity: "word" });
  segmenters.set(code, known);
  return known;
}

/**
 * The characters of one word are joined, so that no chunk ends inside it; in Japanese so are particles and endings, which are
 * in hiragana, to the word before.
 */
export function joinCharacters<Word extends WordInText>(
  words: readonly Word[],
  text: string,
  range: readonly [from: number, to: number],
  language: string,
): Word[] {
  const [from, to] = range;
  const borders = new Set<number>();
  for (const { index, segment } of segmenterOf(language).segment(text.slice(from, to))) {
    if (!(language.startsWith("ja") && /^[ぁ-ゖー]+$/u.test(segment))) borders.add(from + index);
  }
  let joined = 0;
  return words.map((read) => {
    const { word } = read;
    joined = read.joined || borders.has(word.from) || joined >= LONGEST_WORD ? 0 : joined + 1;
    return joined === 0 ? read : { ...read, joined: true };
  });
}
