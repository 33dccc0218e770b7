import type { WordContext } from "./context.ts";
import { inflectionsOf } from "./inflections.ts";
import type { Lexicon, LexiconEntry } from "./lexicon.ts";
import { partOfSpeech } from "./parts-of-speech.ts";
import { demoted } from "./stress.ts";
import type { FollowingSound } from "./weak-forms.ts";
import { isDeterminer } from "./word-classes.ts";

export interface EnglishWords {
  /** The pronunciation of a word in its context; undefined for unknown words. */
  find(word: string, context: WordContext, following: FollowingSound): string | undefined;
}

export function createEnglishWords(lexicon: Lexicon, isBritish: boolean): EnglishWords {
  /** A word in the lexicon as it is written, or with the other first letter. */
  function lookUp(word: string): LexiconEntry | undefined {
    const exact = lexicon.get(word);
    if (exact !== undefined) return exact;
    const lower = word.toLowerCase();
    const capitalized = lower.charAt(0).toUpperCase() + lower.slice(1);
    return lexicon.get(lower) ?? lexicon.get(capitalized);
  }

  function choose(entry: LexiconEntry, context: WordContext, following: FollowingSound): string {
    if (entry.byTag.size === 0) return entry.phonemes;
    const atEnd = following === "end" ? entry.byTag.get("end") : undefined;
    if (atEnd !== undefined) return atEnd;
    const tag = partOfSpeech(context, entry.byTag);
    return (tag === undefined ? undefined : entry.byTag.get(tag)) ?? entry.phonemes;
  }

  function inflected(word: string, context: WordContext, following: FollowingSound): string | undefined {
    for (const { stems, inflect } of inflectionsOf(word)) {
      for (const stem of stems) {
        const entry = stem.length > 1 ? lookUp(stem) : undefined;
        const spoken = entry && inflect(choose(entry, context, following), isBritish);
        if (spoken !== undefined) return spoken;
      }
    }
    return undefined;
  }

  /** "F.B.I": letter names, the last one stressed. */
  function letters(word: string): string | undefined {
    const names = word.split(".").map((letter) => lexicon.get(letter.toUpperCase())?.phonemes);
    if (names.some((name) => name === undefined)) return undefined;
    return names.map((name = "", index) => (index < names.length - 1 ? demoted(name) : name)).join("");
  }

  /** A capital at the start of a sentence is no sign of a name: "Polish the table". */
  function entryOf(word: string, context: WordContext): LexiconEntry | undefined {
    const lower = context.starts && isDeterminer(context.next) ? lexicon.get(word.toLowerCase()) : undefined;
    return lower ?? lookUp(word);
  }

  function find(word: string, context: WordContext, following: FollowingSound): string | undefined {
    if (/^\p{L}(?:\.\p{L})+$/u.test(word)) return letters(word);
    const plain = word.normalize("NFD").replace(/\p{M}/gu, "");
    const entry = entryOf(plain, context);
    if (entry !== undefined) return choose(entry, context, following);
    if (plain.endsWith("'")) return find(plain.slice(0, -1), context, following);
    return inflected(plain, context, following);
  }

  return { find };
}
