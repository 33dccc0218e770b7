import assert from "node:assert/strict";
import { before, test } from "node:test";
import { planChunks } from "../../text/index.ts";
import { loadEspeak } from "../espeak.ts";
import { createPronouncer, type Pronouncer } from "../pronounce.ts";
import { withUsualLiaisons } from "./liaisons.ts";

let espeak: Pronouncer;
let french: Pronouncer;
before(async () => {
  espeak = createPronouncer(await loadEspeak());
  french = withUsualLiaisons(espeak);
});

const wordsOf = (text: string) => {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  return [...planChunks(text, { ...options, languageOf: () => "fr-fr" })].flatMap((chunk) => chunk.words);
};
const spoken = (text: string) =>
  french(wordsOf(text), "fr-fr")
    .map(({ phonemes }) => phonemes.join("").replace(/[ˈˌ-]/gu, ""))
    .join(" ");

test("nouns and verbs are not linked to the next word", () => {
  assert.equal(spoken("le pont a brûlé"), "lə pɔ̃ a bʁyle");
  assert.equal(spoken("les Anglais arrivent"), "lez ɑ̃ɡlɛ aʁiv");
  assert.equal(spoken("ces hommes et ces femmes"), "sez ɔm e se fam");
  assert.equal(spoken("elle lit un livre"), "ɛl li œ̃ livʁ");
});

test("articles, pronouns, adjectives, prepositions and forms of être are", () => {
  assert.equal(spoken("les amis"), "lez ami");
  assert.equal(spoken("nous avons un petit hôpital"), "nuz avɔ̃z œ̃ pətit opital");
  assert.equal(spoken("dans une heure"), "dɑ̃z yn œʁ");
  assert.equal(spoken("il est ouvert"), "il ɛt uvɛʁ");
  assert.equal(spoken("un grand homme"), "œ̃ ɡʁɑ̃t ɔm");
});

test("a consonant that is always spoken stays", () => {
  assert.equal(spoken("une porte ouverte"), espeakAlone("une porte ouverte"));
  assert.equal(spoken("le bus arrive"), espeakAlone("le bus arrive"));
  assert.equal(spoken("la mer est calme"), espeakAlone("la mer est calme"));
});

const espeakAlone = (text: string) =>
  espeak(wordsOf(text), "fr-fr")
    .map(({ phonemes }) => phonemes.join("").replace(/[ˈˌ-]/gu, ""))
    .join(" ");

test("a word with given phonemes is left as it is, and every word has one result", () => {
  const words = wordsOf("le pont a brûlé").map((word, index) => (index === 1 ? { ...word, phonemes: "pɔ̃t" } : word));
  assert.equal(french(words, "fr-fr")[1]?.phonemes.join(""), "pɔ̃t");
  assert.equal(french([], "fr-fr").length, 0);
});
