import type { ReadWord } from "../read.ts";
import type { LanguageFinder } from "./language-finder.ts";

/** Words in another script get its language. Those that no language of the voice can read are left out. */
export function inOwnLanguages(words: readonly ReadWord[], language: string, finder: LanguageFinder): ReadWord[] {
  const own: ReadWord[] = [];
  for (const read of words) {
    const found = read.word.phonemes === undefined ? finder.ofWord(read.word.text, language) : language;
    if (found === undefined) punctuate(own, read.word.after);
    else own.push(found === language ? read : { ...read, word: { ...read.word, language: found } });
  }
  return own;
}

/** The pause after a word that is left out belongs to the one before it. */
function punctuate(words: ReadWord[], after: string): void {
  const last = words.at(-1);
  if (last !== undefined && last.word.after === "")
    words[words.length - 1] = { ...last, word: { ...last.word, after } };
}
