import type { PhonemeGroup } from "../espeak.ts";
import type { Pronouncer } from "../pronounce.ts";
import { STEMS_WITH_E } from "./stems-with-e.ts";

const STEMS: ReadonlyMap<string, string> = new Map(STEMS_WITH_E.map((stem) => [stem.replaceAll("é", "e"), stem]));
/** With the first letter of the stem, where that is lost: "menyewa" has the stem "sewa". */
const PREFIXES: readonly (readonly [prefix: string, first: string])[] = `
  ber be ter per ke se di pe me meng mem men peng pem pen meny+s peny+s mem+p pem+p men+t pen+t meng+k peng+k`
  .trim()
  .split(" ")
  .map((each) => [each.split("+")[0] ?? "", each.split("+")[1] ?? ""]);
const SUFFIX = /(?:nya|lah|kah|pun|ku|mu|kan|an|i)$/;
/** A stem starts with a vowel or with one consonant. */
const STEM = /^(?:[bcdfghjklmnpqrstvwxyz]|n[gy]|s[yh]|kh)?[aeiou]/;
const VOWEL = /[aeiouéè]/g;
const WRITTEN_E = /[eéè]/;
const SPOKEN_E = /^[ˈˌ]?[eɛə]$/u;
const SPOKEN_VOWEL = /^[ˈˌ]?[aeiouɔɛə]/u;

/**
 * Indonesian by espeak with the right vowels. It writes two vowels as "e": espeak takes all that are stressed for that of "enak" and
 * all others for that of "dengan", which most stems of two syllables have. And it takes "ai" and "au" for one sound before a
 * consonant too: "main" has two syllables.
 */
export function withVowels(espeak: Pronouncer): Pronouncer {
  return (words, language) =>
    espeak(words, language).map((word, index) => {
      const { text = "", phonemes } = words[index] ?? {};
      if (phonemes !== undefined) return word;
      return { ...word, phonemes: apart(withVowelsOfE(word.phonemes, text.toLowerCase().normalize("NFC"))) };
    });
}

function withVowelsOfE(phonemes: PhonemeGroup, word: string): PhonemeGroup {
  // Plurals are written twice: "teman-teman".
  const open = word.split(/[^\p{L}\p{M}]+/u).flatMap(vowelsOfE);
  if (open.length !== phonemes.filter((each) => SPOKEN_E.test(each)).length) return phonemes;
  let next = 0;
  let isStressLost = false;
  return phonemes.map((phoneme) => {
    const isOpen = SPOKEN_E.test(phoneme) ? open[next++] : undefined;
    if (isOpen === false) {
      isStressLost ||= phoneme.includes("ˈ");
      return "ə";
    }
    const changed = isOpen ? phoneme.replace("ə", "ɛ") : phoneme;
    if (!isStressLost || !SPOKEN_VOWEL.test(phoneme)) return changed;
    // The vowel of "dengan" has no stress before another one.
    isStressLost = false;
    return `ˈ${changed.replace(/^[ˈˌ]/u, "")}`;
  });
}

/** For each "e" of a word, whether it is the vowel of "enak". Undefined where that is not known. */
function vowelsOfE(word: string): (boolean | undefined)[] {
  const stems = stemsOf(word);
  const spelled = listed(stems);
  const vowels = [...word.matchAll(VOWEL)].map(({ index }) => index);
  const prefixed = stems.filter(({ stem }) => syllables(stem) > 1).map(({ prefix }) => prefix.length);
  const ofPrefixes = Math.max(0, ...prefixed);
  const isShort = stems.some(({ stem }) => syllables(stem) === 2 && word.endsWith(stem));
  return vowels.flatMap((at, nth) => {
    if (!WRITTEN_E.test(word[at] ?? "")) return [];
    if (spelled !== undefined) return [spelled[at] === "é"];
    return [word[at] === "e" ? isOpen(at, vowels.length - 1 - nth) : true];
  });

  /** By where it stands. */
  function isOpen(at: number, following: number): boolean | undefined {
    const next = word[at + 1] ?? "";
    if (at < ofPrefixes) return false;
    if (vowels.length === 1) return undefined;
    if (following === 0) return !(next === "r" && at === word.length - 2);
    if (/[aiou]/.test(next) || (at === 0 && vowels.length > 2)) return true;
    if (following > 1) return undefined;
    if (/[eo]/.test(word[vowels.at(-1) ?? 0] ?? "")) return true;
    return isShort ? false : undefined;
  }
}

const syllables = (stem: string): number => stem.match(VOWEL)?.length ?? 0;

interface Stem {
  readonly prefix: string;
  readonly stem: string;
  /** The first letter of the stem, where it is lost. */
  readonly first: string;
}

/** The word with the vowels of its stem, if that is listed. Those of its prefixes are that of "dengan". */
function listed(stems: readonly Stem[]): string | undefined {
  for (const { prefix, first, stem } of stems) {
    const known = STEMS.get(first + stem);
    if (known !== undefined) return prefix + known.slice(first.length);
  }
  return undefined;
}

/** The stems that a word may have, at most two prefixes and two suffixes shorter. */
function stemsOf(word: string, prefix = "", lost = "", depth = 0): Stem[] {
  const once = word.replace(SUFFIX, "");
  const own = [...new Set([word, once, once.replace(SUFFIX, "")])].map((stem) => ({ prefix, stem, first: lost }));
  if (depth === 2) return own;
  const shorter = PREFIXES.flatMap(([each, first]) => {
    const rest = word.slice(each.length);
    if (!word.startsWith(each) || !STEM.test(first + rest)) return [];
    return stemsOf(rest, prefix + each, first, depth + 1);
  });
  return [...own, ...shorter];
}

/** "ai" and "au" before a consonant that ends the word. */
function apart(phonemes: PhonemeGroup): PhonemeGroup {
  const at = phonemes.length - 2;
  const [, stress = "", vowel] = /^([ˈˌ]?)a([ɪʊ])$/u.exec(phonemes[at] ?? "") ?? [];
  if (vowel === undefined) return phonemes;
  return [...phonemes.slice(0, at), `${stress}a`, vowel === "ɪ" ? "i" : "u", ...phonemes.slice(at + 1)];
}
