import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { spokenWords } from "../../testing/spoken-words.ts";
import { loadEspeak } from "../espeak.ts";
import { createPronouncer, type FrontEnd } from "../pronounce.ts";
import { loadEnglish } from "./english.ts";

let english: FrontEnd;
before(async () => {
  english = await loadEnglish(createPronouncer(await loadEspeak()));
});
const spoken = (text: string, language = "en-us") =>
  english(spokenWords(text), language)
    .map(({ phonemes, after }) => phonemes.join("") + after)
    .join(" ");

describe("English for Kokoro", () => {
  test("words are spoken as in the lexicon, American or British", () => {
    assert.equal(
      spoken("husband secretary necessary familiar failure Joseph Tucson underwear headquarters"),
      "hˈʌzbᵊnd sˈɛkɹətˌɛɹi nˈɛsəsˌɛɹi fəmˈɪljəɹ fˈAljəɹ ʤˈOzəf tˈusˌɑn ˈʌndəɹwˌɛɹ hˈɛdkwˌɔɹTəɹz",
    );
    assert.equal(spoken("secretary fire tired", "en-gb"), "sˈɛkɹɪtɛɹi fˈIə tˈIəd");
    assert.equal(spoken("Mm, Ow!"), "m, ˈW!");
  });

  test("function words depend on the next sound and on the end of the clause", () => {
    assert.equal(
      spoken("I went to the end of the road to eat an apple"),
      "ˌI wˈɛnt tə ði ˈɛnd ʌv ðə ɹˈOd tʊ ˈit ɐn ˈæpᵊl",
    );
    assert.equal(spoken("Come in, this is what I have."), "kˈʌm ˈɪn, ðɪs ɪz wˌʌt ˌI hˈæv.");
    assert.equal(spoken("a cat and vitamin A."), "ɐ kˈæt ænd vˈITəmən ˈA.");
  });

  test("inflections that are not in the lexicon follow the sound before them", () => {
    assert.equal(spoken("Zuckerberg's Joseph's Tucson's"), "zˈʌkəɹbˌɜɹɡz ʤˈOzəfs tˈusˌɑnz");
    assert.equal(spoken("googled photoshopped podcasting bookmarks'"), "ɡˈuɡᵊld fˈOTəʃˌɑpt pˈɑdkˌæstɪŋ bˈʊkmˌɑɹks");
  });

  test("letters, compounds and capitals", () => {
    assert.equal(spoken("the FBI"), "ði ˌɛfbˌiˈI");
    assert.equal(spoken("twenty-one"), "twˌɛntiwˈʌn");
    assert.equal(spoken("And HELP will"), "ˌænd hˈɛlp wˈɪl");
  });

  test("other words are left to espeak, in Kokoro's symbols", () => {
    assert.equal(spoken("zorbled"), "zˈɔɹbᵊld");
    assert.match(spoken("Xyloquar flimbired"), /^[A-Za-zæðŋɑɔəɛɜɡɪɹʃʊʌʒʤʧˈˌθᵊᵻ ]+$/);
  });

  test("a word with given phonemes leaves its neighbours as they are", () => {
    const [plain, marked] = ["I saw the apple of my eye", "I saw the apple of my eye"].map(spokenWords);
    const given = marked?.map((word) => (word.text === "apple" ? { ...word, phonemes: "ˈæpəl" } : word)) ?? [];
    const without = (words: typeof given) => english(words, "en-us").filter((_, index) => index !== 3);
    assert.deepEqual(without(given), without(plain ?? []));
  });

  test("nothing is lost: every word has one result, whatever it is", () => {
    const words = ["25", "$3", "日", "é", "'", "constructor", "toString", "__proto__", "x".repeat(300)];
    const given = words.map((text) => ({ text, from: 0, to: 1, after: "" }));
    assert.equal(english(given, "en-us").length, words.length);
    assert.equal(english([], "en-us").length, 0);
  });
});
