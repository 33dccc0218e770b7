import assert from "node:assert/strict";
import { before, test } from "node:test";
import { planChunks } from "../../text/index.ts";
import { loadEspeak } from "../espeak.ts";
import { createPronouncer, type Pronouncer } from "../pronounce.ts";
import { withVowels } from "./vowels.ts";

let indonesian: Pronouncer;
before(async () => {
  indonesian = withVowels(createPronouncer(await loadEspeak()));
});

const wordsOf = (text: string) => {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  return [...planChunks(text, { ...options, languageOf: () => "id" })].flatMap((chunk) => chunk.words);
};
const spoken = (text: string) =>
  indonesian(wordsOf(text), "id")
    .map(({ phonemes }) => phonemes.join(""))
    .join(" ");

test("stems of two syllables have the vowel of dengan, and their stress at the end", () => {
  assert.equal(spoken("belum cepat penting"), "bəlˈum tʃəpˈat pəntˈiŋ");
  assert.equal(spoken("dibeli berenang"), "dibəlˈi bərənˈaŋ");
});

test("listed stems have the vowel of enak, with prefixes and suffixes too", () => {
  assert.equal(spoken("meja kesehatan berbeda menyewa"), "mˈɛdʒa kəsɛhˈatan bərbˈɛda məɲˈɛwa");
  assert.equal(spoken("kereta mereka"), "kərˈɛta mərˈɛka");
});

test("an e before e, o or a vowel and at the end of a word is that of enak", () => {
  assert.equal(spoken("nenek besok museum tape"), "nˈɛnɛk bˈɛsok musˈɛum tˈapɛ");
  assert.equal(spoken("komputer"), "kompˈutər");
});

test("prefixes have the vowel of dengan, also before a vowel", () => {
  assert.equal(spoken("seorang keadaan bermain"), "səˈɔraŋ kəadˈaan bərmˈain");
});

test("a plural that is written twice has the vowels of its word", () => {
  assert.equal(spoken("sejak-sejak"), "sədʒˈaksədʒˈak");
});

test("ai and au before a consonant are two vowels", () => {
  assert.equal(spoken("naik laut"), "nˈaik lˈaut");
  assert.equal(spoken("pantai"), "pˈantaɪ");
});

test("a word with given phonemes is left as it is, and every word has one result", () => {
  const words = wordsOf("meja belum").map((word, index) => (index === 1 ? { ...word, phonemes: "bɛlum" } : word));
  assert.equal(indonesian(words, "id")[1]?.phonemes.join(""), "bɛlum");
  assert.equal(indonesian([], "id").length, 0);
});
