import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { eld } from "eld/extrasmall";
import { type LatinScores, loadLatinScores, NGRAM_LANGUAGES } from "./latin-scores.ts";

const TEXTS = [
  "how are you today",
  "the quick brown fox jumps over the lazy dog",
  "don't you think it isn't l'heure d'été",
  "el perro come carne y la señora bebe agua en la estación",
  "je voudrais une bière s'il vous plaît où est la gare",
  "perché non c'è più nessuno nella città",
  "não tem problema nenhum onde fica a estação amanhã",
  "das wetter ist heute schön und die straße über den fluß",
  "saya tidak tahu di mana stasiun kereta terima kasih banyak",
  "ik weet niet waar het station is maar morgen wel",
  "zażółć gęślą jaźń příliš žluťoučký kůň",
  "xyzzy qqqq brrr a b",
  "i",
  "donaudampfschifffahrtsgesellschaftskapitän",
];

let scores: LatinScores;
before(async () => {
  scores = await loadLatinScores();
});

/** The same by the package that the table is made from. */
function expected(text: string): Readonly<Record<string, number>> {
  const { ms, ...others } = eld.detect(text).getScores();
  return ms === undefined ? others : { ...others, id: ms };
}

describe("the scores of texts in Latin letters", () => {
  before(() => {
    eld.setLanguageSubset(NGRAM_LANGUAGES.map((language) => (language === "id" ? "ms" : language)));
  });

  test("are those of ELD, for texts and for single words", () => {
    for (const text of [...TEXTS, ...TEXTS.flatMap((each) => each.split(" "))])
      assert.deepEqual(scores(text.split(" ")), expected(text), text);
  });

  test("are none for other letters, and for no words", () => {
    assert.deepEqual(scores(["привет", "мир"]), {});
    assert.deepEqual(scores([]), {});
  });
});
