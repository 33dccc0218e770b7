import type { SpokenWord } from "./types.ts";

const FIRST_KANA = 0x3041;
const LAST_KANA = 0x30ff;
const FIRST_CJK = 0x2e80;

/** Letters that take as long to speak as one character of a script: a Chinese character is a syllable or two. */
export function letterWidth(text: string): number {
  const code = text.charCodeAt(0);
  if (!(code >= FIRST_CJK)) return 1;
  return code >= FIRST_KANA && code <= LAST_KANA ? 2 : 3;
}

/** The length of a word in letters, as far as its speech is concerned. */
export const spokenWidth = ({ text, phonemes }: Pick<SpokenWord, "text" | "phonemes">): number =>
  phonemes === undefined ? text.length * letterWidth(text) : phonemes.length;
