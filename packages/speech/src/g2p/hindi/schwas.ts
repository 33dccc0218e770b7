import type { PhonemeGroup } from "../espeak.ts";
import type { Pronouncer } from "../pronounce.ts";
import { hasF } from "./words-with-f.ts";

const NASAL_SIGN = "ँ";
const VOWEL = /^[ˈˌ]?[aeiouãẽĩõũəɛɪɔʊʌ]/u;
/** Words that espeak reads by their letters, or without one of their vowels, and nobody else does. */
const WORDS: ReadonlyMap<string, PhonemeGroup> = new Map([
  ["यह", ["j", "ˌeː"]],
  ["वह", ["ʋ", "ˌoː"]],
  ["इंतजार", ["ˌɪ", "n", "t", "ə", "z", "ˈaː", "ɾ"]],
  ["इंतज़ार", ["ˌɪ", "n", "t", "ə", "z", "ˈaː", "ɾ"]],
  ["इंतजाम", ["ˌɪ", "n", "t", "ə", "z", "ˈaː", "m"]],
  ["इंतज़ाम", ["ˌɪ", "n", "t", "ə", "z", "ˈaː", "m"]],
  ["मुंबई", ["m", "ʊ", "m", "b", "ˈə", "i"]],
  ["दुबई", ["d", "ʊ", "b", "ˈə", "i"]],
  ["रुपए", ["ɾ", "ʊ", "p", "ˈʌ", "eː"]],
]);

/** Hindi by espeak, without the short vowels that are written but not spoken. */
export function withoutSilentSchwas(espeak: Pronouncer): Pronouncer {
  return (words, language) =>
    espeak(words, language).map((word, index) => {
      const { text = "", phonemes } = words[index] ?? {};
      const known = phonemes === undefined ? WORDS.get(text.normalize("NFC")) : undefined;
      return { ...word, phonemes: known ?? spoken(word.phonemes, phonemes === undefined ? text : "") };
    });
}

function spoken(phonemes: PhonemeGroup, text: string): PhonemeGroup {
  const hasNasalVowel = text.includes(NASAL_SIGN);
  const left = deleteSchwas(withoutFinalSchwa(phonemes), hasNasalVowel);
  const vowels = openVowels(hasNasalVowel ? nasalVowels(left) : left);
  return hasF(text) ? vowels.map((phoneme) => (phoneme === "pʰ" ? "f" : phoneme)) : vowels.map(fricative);
}

/** espeak speaks the vowel at the end after "lm": "film" is "pʰɪlmə". */
const withoutFinalSchwa = (phonemes: PhonemeGroup): PhonemeGroup =>
  phonemes.slice(-3).join("") === "lmə" ? phonemes.slice(0, -1) : phonemes;

/** "ə" is silent between a vowel with one consonant and one consonant with a vowel: "pəhəlā" is "pəhlā". From the end. */
function deleteSchwas(phonemes: PhonemeGroup, hasNasalVowel: boolean): string[] {
  const left = [...phonemes];
  const isVowel = (at: number): boolean => VOWEL.test(left[at] ?? "");
  const isConsonant = (at: number): boolean => at >= 0 && at < left.length && !isVowel(at);
  for (let at = left.length - 3; at >= 2; at--) {
    // "r." and "h" are one sound.
    const before = left[at - 1] === "h" && left[at - 2] === "r." ? at - 2 : at - 1;
    // The "n" that espeak writes after a nasal vowel is no consonant of its own: "hə̃sənā" is "hə̃snā".
    const vowel = hasNasalVowel && left[before - 1] === "n" ? before - 2 : before - 1;
    const isSingle = isConsonant(before) && isVowel(vowel);
    if (left[at] === "ə" && isSingle && isConsonant(at + 1) && isVowel(at + 2)) left.splice(at, 1);
  }
  return left;
}

/** A nasal vowel ends in an "n" only before a stop: "mũh" and "gā̃v" have none. espeak leaves out the length of a nasal "ā". */
function nasalVowels(phonemes: readonly string[]): string[] {
  return phonemes.flatMap((phoneme, at) => {
    const ends = (n: number): boolean =>
      phonemes[n] === "n" && isNasal(phonemes[n - 1] ?? "") && /^[hʋsʃjlɾ]/u.test(phonemes[n + 1] ?? "");
    if (ends(at)) return [];
    return [ends(at + 1) ? phoneme.replace(/(?<=ã|a\u0303)$/u, "ː") : phoneme];
  });
}

const isNasal = (vowel: string): boolean => vowel.normalize("NFD").includes("\u0303");

/** Before an "h" that ends a syllable inside a word, and on both sides of one between two short vowels, "ə" is "ɛ". */
function openVowels(phonemes: readonly string[]): string[] {
  const isShort = (phoneme: string | undefined): boolean => /^[ˈˌ]?[əʌ]$/u.test(phoneme ?? "");
  const closes = (at: number): boolean => {
    const next = phonemes[at + 1] ?? "";
    return (
      phonemes[at] === "h" &&
      phonemes[at - 1] !== "r." &&
      at + 1 < phonemes.length &&
      (next === "ə" || !VOWEL.test(next))
    );
  };
  return phonemes.map((phoneme, at) => {
    const opens = isShort(phoneme) && (closes(at + 1) || (closes(at - 1) && isShort(phonemes[at - 2])));
    return opens ? phoneme.replace(/[əʌ]/u, "ɛ") : phoneme;
  });
}

/** "ph" beside a consonant is in words from Persian, where it is an "f". */
function fricative(phoneme: string, at: number, all: readonly string[]): string {
  const isLast = at === all.length - 1;
  const isBeside = isLast ? all[at - 1] === "ɾ" : /^[td]/u.test(all[at + 1] ?? "");
  return phoneme === "pʰ" && isBeside ? "f" : phoneme;
}
