import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { correctHindi, correctHindiWords, isDevanagari } from "./correct-hindi.ts";

const cases: Readonly<Record<string, readonly (readonly [hindi: string, urdu: string, corrected: string])[]>> = {
  "aspirates, voice and flaps are those of Urdu": [
    ["गर में दूद ता.", "گھر میں دودھ تھا۔", "घर में दूध था."],
    ["लरका किताप परता है", "لڑکا کتاب پڑھتا ہے۔", "लड़का किताब पढ़ता है"],
    ["फोरा पानी", "تھوڑا پانی", "थोड़ा पानी"],
    ["मैंने यह परहा था", "میں نے یہ پڑھا تھا", "मैंने यह पढ़ा था"],
    ["वह प्राती है", "وہ پڑھاتی ہے", "वह पढ़ाती है"],
  ],
  "a doubled letter is aspirated once, or not at all": [
    ["मेरा अच्चा बच्छा है", "میرا اچھا بچا ہے", "मेरा अच्छा बच्चा है"],
    ["पत्तर टूटा", "پتھر ٹوٹا", "पत्थर टूटा"],
  ],
  "vowels at the end of a word are those of Urdu": [
    ["मैनी रोटी खाए", "میں نے روٹی کھائی", "मैने रोटी खाई"],
    ["वे कहा है", "وے کہاں ہیں", "वे कहाँ हैं"],
    ["वह नहीं हैं", "وہ نہیں ہے", "वह नहीं है"],
  ],
  "but not where Urdu has joined words": [["दिन में काम", "دنمی کام", "दिन में काम"]],
  "a long vowel that Urdu does not write is left out": [["नाई बात", "نئی بات", "नई बात"]],
  "equal texts stay": [["मेरा भाई, घर पर है।", "میرا بھائی گھر پر ہے۔", "मेरा भाई, घर पर है।"]],
  "other speech, no text, or another script changes nothing": [
    ["मेरा बाई गर पर है", "شکریہ", "मेरा बाई गर पर है"],
    ["मेरा बाई", "", "मेरा बाई"],
    ["", "گھر", ""],
    ["गर", "thank you", "गर"],
  ],
};

describe("Hindi with the sounds of Urdu", () => {
  for (const [name, texts] of Object.entries(cases)) {
    test(name, () => {
      for (const [hindi, urdu, corrected] of texts) assert.equal(correctHindi(hindi, urdu), corrected);
    });
  }

  test("words keep their times, and keywords their spelling", () => {
    const words = ["मेरा", "बाई", "गर", "में", "ता."].map((text, start) => ({ text, start }));
    const urdu = "میرا بھائی گھر میں تھا۔";
    const written = (keywords?: string[]) => correctHindiWords(words, urdu, keywords).map(({ text }) => text);
    assert.deepEqual(written(), ["मेरा", "भाई", "घर", "में", "था."]);
    assert.deepEqual(written(["गर", "ता"]), ["मेरा", "भाई", "गर", "में", "ता."]);
    assert.deepEqual(
      correctHindiWords(words, urdu).map(({ start }) => start),
      [0, 1, 2, 3, 4],
    );
  });

  test("texts in other scripts are not corrected", () => {
    assert.ok(isDevanagari("ok, ठीक") && !isDevanagari("ٹھیک") && !isDevanagari("theek"));
  });
});
