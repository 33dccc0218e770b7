import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Espeak, loadEspeak } from "./espeak.ts";
import { matchWords } from "./match-words.ts";
import { createPronouncer, splitPhonemes } from "./pronounce.ts";

let espeak: Espeak;
before(async () => {
  espeak = await loadEspeak();
});

const words = (text: string) =>
  text.split(" ").map((word) => {
    const after = word.match(/[,.!?]$/)?.[0] ?? "";
    return { text: word.slice(0, word.length - after.length), from: 0, to: 0, after };
  });
const spoken = (text: string, language = "en-us") =>
  createPronouncer(espeak)(words(text), language).map((word) => word.phonemes.join(""));

test("words that espeak joins are separated again", () => {
  assert.deepEqual(spoken("because of the weather"), ["bɪkˈʌz", "ʌv", "ðə", "wˈɛðɚ"]);
  assert.deepEqual(spoken("out for a while"), ["ˈaʊt", "fɚɹ", "ə", "wˈaɪl"]);
});

test("words that espeak splits stay whole", () => {
  assert.deepEqual(spoken("the 25 of the team"), ["ðə", "twˈɛntifˈaɪv", "ʌv", "ðə", "tˈiːm"]);
  assert.equal(spoken("a well-known fact").length, 3);
});

test("every word has phonemes, in long sentences and in every language", () => {
  const texts: [string, string][] = [
    ["en-us", "You've got to be kidding, aren't you? It is going to have been there because of the time of day."],
    ["en-gb", "In the end it was to be, or not to be, for the people by the people of the land."],
    ["fr-fr", "Les amis sont allés à l'école, il y a 25 ans de cela."],
    ["es", "El perro de la casa no ha comido nada en todo el día."],
    ["it", "Non c'è niente di meglio di una tazza di caffè la mattina."],
    ["pt-br", "O menino foi à escola com os amigos de manhã."],
    ["hi", "मैं कल दिल्ली जा रहा हूँ।"],
  ];
  for (const [language, text] of texts) {
    const phonemes = spoken(text, language);
    assert.equal(phonemes.length, text.split(" ").length, text);
    assert.deepEqual(
      phonemes.filter((word) => word === ""),
      [],
      `${text} → ${phonemes.join(" ")}`,
    );
  }
});

test("no phoneme of a clause is lost or doubled", () => {
  const clause = "for a while because of the weather and the 3 of us";
  const groups = espeak.pronounce(clause, "en-us");
  const alone = clause.split(" ").map((word) => espeak.pronounce(word, "en-us"));
  assert.equal(matchWords(alone, groups).flat().join(""), groups.flat().join(""));
});

test("given phonemes are spoken as they are", () => {
  const [word] = createPronouncer(espeak)([{ text: "x", from: 0, to: 1, after: ",", phonemes: "həlˈoʊ" }], "en-us");
  assert.deepEqual(word, { phonemes: ["h", "ə", "l", "ˈoʊ"], after: "," });
  assert.deepEqual(splitPhonemes("tʃˈɜːtʃ"), ["tʃ", "ˈɜː", "tʃ"]);
});

test("an unknown language is refused by name", () => {
  assert.throws(() => espeak.pronounce("hello", "xx-none"), /xx-none/);
});

test("phonemes of a mark do not change how the words beside it are spoken", () => {
  const plain = words("I saw the Tana of a friend");
  const marked = plain.map((word) => (word.text === "Tana" ? { ...word, phonemes: "tˈɑːdə" } : word));
  const texts = (list: typeof plain) => createPronouncer(espeak)(list, "en-us").map((word) => word.phonemes.join(""));
  const expected = texts(plain);
  expected[3] = "tˈɑːdə";
  assert.deepEqual(texts(marked), expected);
});

test("a word with its own language is pronounced in it", () => {
  const [, name] = createPronouncer(espeak)(
    [
      { text: "dear", from: 0, to: 4, after: "" },
      { text: "Jean", from: 5, to: 9, after: "", language: "fr-fr" },
    ],
    "en-us",
  );
  assert.equal(name?.phonemes.join(""), "ʒˈɑ̃");
});
