import { editDistance } from "../../packages/speech/src/g2p/edit-distance.ts";
import { pronounceJapanese } from "../../packages/speech/src/g2p/japanese/japanese.ts";
import { wordsOf } from "../kokoro/pairs.ts";

/** Names of languages whose reading rules differ from the code alone. */
const TAGS: Readonly<Record<string, string>> = { en: "en-us", fr: "fr-fr", pt: "pt-br" };

/**
 * The share of characters that were understood. Numbers are compared as words, Chinese in simplified characters, and
 * Japanese by its sounds: the same word may be written in kanji or in kana.
 */
export async function understood(expected: string, heard: string, language: string): Promise<number> {
  const [left, right] = await Promise.all([expected, heard].map((text) => charactersOf(text, language)));
  if (left === undefined || right === undefined || left.length === 0) throw new Error("there is nothing to compare");
  return Math.max(0, 1 - editDistance(left, right, (a, b) => a === b) / left.length);
}

async function charactersOf(text: string, language: string): Promise<string[]> {
  const words = wordsOf(text, TAGS[language] ?? language);
  if (language === "ja")
    return [
      ...pronounceJapanese(words, "ja")
        .flatMap((word) => word.phonemes)
        .join(""),
    ].filter(isSound);
  const spoken = words.map((word) => word.text).join(" ");
  const written =
    language === "zh" ? (await import("opencc-js/t2cn")).Converter({ from: "t", to: "cn" })(spoken) : spoken;
  return [...written.normalize("NFC").toLowerCase().replaceAll("ß", "ss")].filter((each) =>
    /[\p{L}\p{M}\p{N}]/u.test(each),
  );
}

const isSound = (symbol: string): boolean => !/[\s.,!?;:—…"()“”]/u.test(symbol);
