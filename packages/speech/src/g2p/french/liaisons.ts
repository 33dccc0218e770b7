import type { SpokenWord } from "../../text/types.ts";
import type { PhonemeGroup } from "../espeak.ts";
import type { PronouncedWord, Pronouncer } from "../pronounce.ts";

/**
 * Words whose last consonant is heard before a vowel. After other words, nouns above all, a liaison is wrong or affected: "le pont a"
 * has none.
 */
const LINKING: ReadonlySet<string> = new Set(
  `un aucun mon ton son bon les des ces mes tes ses nos vos leurs aux quels quelles quelques plusieurs certains certaines
  deux trois six dix vingt cents quatre-vingts on nous vous ils elles en est sont ont étaient était étions suis sommes soit avons
  avez avaient avait font fait faut vont allons peut doit vient dans sans sous chez dès très plus moins bien rien trop pas mais quand
  dont tout tous toutes petit petits petites grand grands grandes gros grosses bons bonnes beaux belles vieux vieilles nouveaux
  nouvelles jeunes longs longues mauvais mauvaises premier premiers premières dernier derniers dernières autres mêmes anciens
  anciennes chers chères différents différentes divers nombreux nombreuses seuls seules long ancien certain second prochain comment
  jamais puis après`.split(/\s+/),
);
const VOWEL = /^[ˈˌ]?[aeiouyøœɑɔəɛ]/u;
/** "and" and "or" join what stands before them without a liaison. */
const APART = /^(?:et|ou|oui|onze|onzième)$/iu;

/** French by espeak, which makes liaisons after all words: only those that are usual are left. */
export function withUsualLiaisons(espeak: Pronouncer): Pronouncer {
  const isLinked = (word: SpokenWord, next: SpokenWord): boolean =>
    LINKING.has(withoutElision(word.text.toLowerCase())) && !APART.test(next.text);

  function corrected(words: readonly SpokenWord[], index: number, spoken: readonly PronouncedWord[], language: string) {
    const [word, next] = [words[index], words[index + 1]];
    const phonemes = spoken[index]?.phonemes ?? [];
    if (word === undefined || next === undefined || word.after !== "" || word.phonemes !== undefined) return phonemes;
    const links = /^[tznʁp]$/u.test(phonemes.at(-1) ?? "") && VOWEL.test(spoken[index + 1]?.phonemes[0] ?? "");
    if (!links || isLinked(word, next)) return phonemes;
    const [alone] = espeak([{ ...word, after: "" }], language);
    return soundsOf(alone?.phonemes) === soundsOf(phonemes.slice(0, -1)) ? phonemes.slice(0, -1) : phonemes;
  }

  return (words, language) => {
    const spoken = espeak(words, language);
    return spoken.map((word, index) => ({ ...word, phonemes: corrected(words, index, spoken, language) }));
  };
}

/** "s'étaient" is linked as "étaient" is. */
const withoutElision = (word: string): string => word.slice(Math.max(word.lastIndexOf("'"), word.lastIndexOf("’")) + 1);

const soundsOf = (phonemes: PhonemeGroup = []): string => phonemes.join("").replace(/[ˈˌ-]/gu, "");
