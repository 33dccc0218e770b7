import type { SpokenWord } from "../../text/types.ts";
import type { FrontEnd, Pronouncer } from "../pronounce.ts";
import { contextOf, type WordContext } from "./context.ts";
import { fromEspeak } from "./from-espeak.ts";
import { chooseHeteronym } from "./heteronyms.ts";
import { type Lexicon, loadLexicon } from "./lexicon.ts";
import { demoted, startsWithVowel, withPrimaryStress, withSecondaryStress } from "./stress.ts";
import { type FollowingSound, weakForm } from "./weak-forms.ts";
import { createEnglishWords } from "./words.ts";

const asset = (name: string) => new URL(`../../../assets/english/${name}.bin.br`, import.meta.url);

/** Pronounces English as Kokoro learned it: by a lexicon, and by espeak where a word is not in it. */
export async function loadEnglish(espeak: Pronouncer): Promise<FrontEnd> {
  const [american, british] = await Promise.all([loadLexicon(asset("us")), loadLexicon(asset("gb"))]);
  const [us, gb] = [createDialect(american, false, espeak), createDialect(british, true, espeak)];
  return (words, language) => (language === "en-us" ? us : gb)(words, language);
}

function createDialect(lexicon: Lexicon, isBritish: boolean, espeak: Pronouncer): FrontEnd {
  const known = createEnglishWords(lexicon, isBritish);

  function byEspeak(text: string): string {
    const [spoken] = espeak([{ text, from: 0, to: 0, after: "" }], isBritish ? "en-gb" : "en-us");
    return fromEspeak(spoken?.phonemes ?? [], isBritish);
  }

  /** Capitals give a word some stress, or all of it. */
  function ofWord(text: string, context: WordContext, following: FollowingSound): string | undefined {
    const chosen = chooseHeteronym(context, isBritish) ?? known.find(text, context, following);
    if (chosen === undefined || text === text.toLowerCase()) return chosen;
    const shouted = text.length > 1 && text === text.toUpperCase() && !text.includes(".");
    return shouted ? withPrimaryStress(chosen) : withSecondaryStress(chosen);
  }

  /** "twenty-one": the parts of a compound, of which the later ones are less stressed. */
  function ofParts(text: string, context: WordContext, following: FollowingSound): string | undefined {
    const parts = text.split("-").filter((part) => part !== "");
    if (parts.length < 2) return undefined;
    const spoken = parts.map((part) => {
      const own = { ...context, word: part.toLowerCase() };
      return weakForm(part, "consonant") ?? ofWord(part, own, following) ?? byEspeak(part);
    });
    const stressed = spoken.filter((part) => part.includes("ˈ")).length;
    if (stressed <= (spoken.length + 1) >> 1) return spoken.join("");
    const full = spoken.length - (spoken.length >> 1);
    return spoken.map((part, index) => (index >= full ? demoted(part) : part)).join("");
  }

  function pronounce(words: readonly SpokenWord[], index: number, following: FollowingSound): string {
    const text = words[index]?.text.replaceAll("’", "'") ?? "";
    const weak = weakForm(text, following);
    if (weak !== undefined) return weak;
    const context = contextOf(words, index);
    return ofWord(text, context, following) ?? ofParts(text, context, following) ?? byEspeak(text);
  }

  return (words) => {
    const phonemes: string[] = [];
    let following: FollowingSound = "end";
    // From the end, since a word depends on the sound after it.
    for (let index = words.length - 1; index >= 0; index--) {
      const word = words[index];
      if (word === undefined) continue;
      if (word.after !== "") following = "end";
      const spoken: string = word.phonemes ?? pronounce(words, index, following);
      phonemes[index] = spoken;
      if (/[^ˈˌ]/.test(spoken)) following = startsWithVowel(spoken) ? "vowel" : "consonant";
    }
    return words.map(({ after }, index) => ({ phonemes: [phonemes[index] ?? ""], after }));
  };
}
