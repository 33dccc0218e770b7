import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { loadEnglish } from "../../packages/speech/src/g2p/english/english.ts";
import { loadEspeak } from "../../packages/speech/src/g2p/espeak.ts";
import { createPronouncer } from "../../packages/speech/src/g2p/pronounce.ts";
import { round } from "../statistics.ts";

/** A pronunciation, or several by part of speech. */
type Entry = string | Readonly<Record<string, string | null>>;

/**
 * How many of the commonest words are spoken as in a lexicon, each in front of another word, so that function words are not at the
 * end of a clause. Words that the lexicon lacks are left out; of those with several pronunciations each is accepted.
 */
export async function compareWithLexicon(folder: string) {
  const [silver, gold] = await Promise.all([readLexicon(folder, "us_silver"), readLexicon(folder, "us_gold")]);
  const english = await loadEnglish(createPronouncer(await loadEspeak()));
  const list = await readFile(new URL("common-words.txt", import.meta.url), "utf8");
  const words = list
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.split(" "))
    .filter((word) => word !== "");
  const wrong: string[] = [];
  let compared = 0;
  for (const written of words) {
    // The list writes words as they begin sentences.
    const word = [written, written.toLowerCase()].findLast((each) => each in gold || each in silver);
    if (word === undefined) continue;
    const entry = gold[word] ?? silver[word] ?? "";
    const accepted = (typeof entry === "string" ? [entry] : Object.values(entry)).map(asLearned);
    const [spoken] = english(
      [word, "dogs"].map((text) => ({ text, from: 0, to: 0, after: "" })),
      "en-us",
    );
    const phonemes = spoken?.phonemes.join("") ?? "";
    compared++;
    if (!accepted.includes(phonemes)) wrong.push(`${word} ${phonemes} (${accepted.join(", ")})`);
  }
  return { compared, same: round((100 * (compared - wrong.length)) / compared, 1), wrong };
}

/** Kokoro 1.0 learned one letter for the flap, and no glottal stop in English. */
const asLearned = (phonemes: string | null): string => phonemes?.replaceAll("ɾ", "T").replaceAll("ʔ", "t") ?? "";

async function readLexicon(folder: string, name: string): Promise<Readonly<Record<string, Entry>>> {
  const packed = await readFile(join(folder, `${name}.json.gz`));
  return JSON.parse((await promisify(gunzip)(packed)).toString());
}
