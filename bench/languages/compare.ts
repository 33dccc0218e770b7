import { editDistance } from "../../packages/speech/src/g2p/edit-distance.ts";
import { pronounceJapanese } from "../../packages/speech/src/g2p/japanese/japanese.ts";
import { wordsOf } from "../kokoro/encoders.ts";
import { foldHindi } from "./hindi.ts";

/** Names of languages whose reading rules differ from the code alone. */
const TAGS: Readonly<Record<string, string>> = { en: "en-us", fr: "fr-fr", pt: "pt-br" };

/** The share of characters that were understood. */
export async function understood(expected: string, recognized: string, language: string): Promise<number> {
  const { errors, characters } = await characterErrors(expected, recognized, language);
  return Math.max(0, 1 - errors / characters);
}

/**
 * Substitutions, deletions and insertions of characters. Numbers are compared as words, Chinese in simplified characters, Hindi
 * in Devanagari (`hindi.ts`), and Japanese by its sounds: the same word may be written in kanji or in
 * kana.
 */
export async function characterErrors(
  expected: string,
  recognized: string,
  language: string,
): Promise<{ readonly errors: number; readonly characters: number }> {
  const [left, right] = await Promise.all([expected, recognized].map((text) => charactersOf(text, language)));
  if (left === undefined || right === undefined || left.length === 0) throw new Error("there is nothing to compare");
  const characters = [...left];
  return { errors: editDistance(characters, [...right], (a, b) => a === b), characters: characters.length };
}

async function charactersOf(text: string, language: string): Promise<string> {
  if (language === "ja") {
    const sounds = pronounceJapanese(wordsOf(text, "ja"), "ja").flatMap((word) => word.phonemes);
    return [...sounds.join("")].filter(isSound).join("");
  }
  const words = spoken(text, TAGS[language] ?? language);
  if (language === "hi") return lettersOf(foldHindi(words));
  if (language !== "zh") return lettersOf(words);
  const { Converter } = await import("opencc-js/t2cn");
  return lettersOf(Converter({ from: "t", to: "cn" })(words));
}

const spoken = (text: string, tag: string): string =>
  wordsOf(text, tag)
    .map((word) => word.text)
    .join(" ");

const lettersOf = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");

const isSound = (symbol: string): boolean => !/[\s.,!?;:—…"()“”]/u.test(symbol);
