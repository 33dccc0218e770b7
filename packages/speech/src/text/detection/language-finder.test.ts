import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { planChunks } from "../chunks.ts";
import { createLanguageFinder, type LanguageFinder } from "./language-finder.ts";
import { type LatinScores, loadLatinScores } from "./latin-scores.ts";
import { canBeRead } from "./readable.ts";

const languages = ["en-us", "en-gb", "es", "fr-fr", "hi", "it", "pt-br", "ja", "zh", "de", "id"];
let latinScores: LatinScores;
before(async () => {
  latinScores = await loadLatinScores();
});
const finder = (voiceLanguage = "en-us"): LanguageFinder =>
  createLanguageFinder({ voiceLanguage, languages, latinScores });

/** Three to six words each. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  "en-us": [
    "How are you today?",
    "See you tomorrow then",
    "Please call me back",
    "He opened the door slowly",
    "Radio Paris",
    "Stop it",
  ],
  es: [
    "¿Cómo estás hoy?",
    "Muchas gracias por todo",
    "Abrió la puerta despacio",
    "¿Dónde está la estación?",
    "Tengo hambre y sed",
  ],
  "fr-fr": [
    "Comment ça va ?",
    "Il fait beau aujourd'hui",
    "Je m'appelle Anne",
    "Où est la gare ?",
    "Quelle belle journée",
  ],
  it: [
    "Oggi il tempo è bello",
    "Grazie mille per tutto",
    "Che bella giornata",
    "Dov'è la stazione?",
    "Il cane mangia la carne",
  ],
  "pt-br": [
    "Como você está?",
    "O tempo está bom hoje",
    "Não tem problema nenhum",
    "Onde fica a estação?",
    "Estou com muita fome",
  ],
  de: [
    "Wie geht es dir?",
    "Das Wetter ist heute schön",
    "Wo ist der Bahnhof?",
    "Ich habe großen Hunger",
    "Guten Morgen",
  ],
  id: ["Apa kabar hari ini?", "Terima kasih banyak", "Di mana stasiun kereta?", "Saya tidak tahu"],
  hi: ["आप कैसे हैं?", "मौसम अच्छा है"],
  ja: ["お元気ですか。", "東京に行きます。", "コーヒーをください。"],
  zh: ["你好吗？", "我喜欢喝咖啡。", "北京很大。"],
};

describe("the language of a sentence", () => {
  test("is found in short sentences, with an English voice", () => {
    for (const [language, sentences] of Object.entries(SENTENCES))
      for (const sentence of sentences) assert.equal(finder().ofSentence(sentence, undefined), language, sentence);
  });

  test("is the voice's own where its sentences are undecided", () => {
    for (const [language, sentences] of Object.entries(SENTENCES))
      for (const sentence of sentences)
        assert.equal(finder(language).ofSentence(sentence, undefined), language, sentence);
    assert.equal(finder("pt-br").ofSentence("Me liga por favor", undefined), "pt-br");
    assert.equal(finder("en-gb").ofSentence("How are you today?", undefined), "en-gb");
    assert.equal(finder("ja").ofSentence("東京大学", undefined), "ja");
  });

  test("continues that of the sentence before, where there is nothing to decide by", () => {
    assert.equal(finder().ofSentence("25.", "es"), "es");
    assert.equal(finder().ofSentence("2.", undefined), "en-us");
    assert.equal(finder().ofSentence("東京", "ja"), "ja");
  });

  test("is found in greetings of one word", () => {
    const greetings = {
      es: "Hola.",
      "fr-fr": "Bonjour !",
      it: "Ciao!",
      "pt-br": "Obrigado.",
      de: "Danke.",
      id: "Halo!",
    };
    for (const [language, text] of Object.entries(greetings))
      assert.equal(finder().ofSentence(text, undefined), language);
  });

  test("is not that of the names in a sentence", () => {
    const texts = `Los Angeles, California|Error 404|Rio de Janeiro, Brazil|El Paso, Texas|NASA, ESA|La La Land|e.g. a.m.
      Jean-Claude Van Damme visited Marseille.|José Martínez plays for Real Madrid.|St. Louis, MO is hot|OK.|Chapter 3`;
    for (const text of texts.split(/[|\n]\s*/)) assert.equal(finder().ofSentence(text, undefined), "en-us", text);
  });

  test("is the voice's own when the text is pinned to it", () => {
    const pinned = createLanguageFinder({ voiceLanguage: "it", languages, latinScores, pinned: true });
    assert.equal(pinned.ofSentence("How are you today?", undefined), "it");
    assert.deepEqual([pinned.dependsOnText, finder().dependsOnText], [false, true]);
  });

  test("is always that of a voice with one language", () => {
    const english = createLanguageFinder({ voiceLanguage: "en-us", languages: ["en-us"], latinScores });
    for (const sentence of Object.values(SENTENCES).flat())
      assert.equal(english.ofSentence(sentence, undefined), "en-us");
  });
});

describe("words in another script", () => {
  const plan = (text: string, voiceLanguage = "en-us", spoken = languages) => {
    const own = createLanguageFinder({ voiceLanguage, languages: spoken, latinScores });
    const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
    return [...planChunks(text, { ...options, languageOf: () => voiceLanguage, finderOf: () => own })].flatMap(
      (chunk) => chunk.words.map((word) => `${word.language ?? chunk.language} ${word.text}${word.after}`),
    );
  };

  test("are read in their own language", () => {
    assert.deepEqual(
      plan("We flew to 北京, then home.")
        .slice(-5)
        .join("|")
        .replace(/zh 北\|zh 京/, "zh 北京"),
      [...["en-us to", "zh 北京,", "en-us then", "en-us home."]].join("|"),
    );
  });

  test("are left out where no language has them", () => {
    assert.deepEqual(plan("Hello мир, my friend."), ["en-us Hello,", "en-us my", "en-us friend."]);
    assert.deepEqual(plan("Hello 北京.", "en-us", ["en-us"]), ["en-us Hello."]);
  });

  test("a text of such words only cannot be read", () => {
    assert.equal(canBeRead("Привет, мир!", languages), false);
    assert.equal(canBeRead("Привет, world!", languages), true);
    assert.equal(canBeRead("你好", ["en-us"]), false);
    assert.equal(canBeRead("12 🎉 …", languages), true);
  });
});
