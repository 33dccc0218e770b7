import assert from "node:assert/strict";
import { before, test } from "node:test";
import { loadEspeak } from "../espeak.ts";
import { createPronouncer, type Pronouncer } from "../pronounce.ts";
import { withoutSilentSchwas } from "./schwas.ts";

let hindi: Pronouncer;
before(async () => {
  hindi = withoutSilentSchwas(createPronouncer(await loadEspeak()));
});

const spoken = (words: string) =>
  hindi(
    words.split(" ").map((text) => ({ text, from: 0, to: 0, after: "," })),
    "hi",
  )
    .map(({ phonemes }) => phonemes.join(""))
    .join(" ")
    .normalize("NFC");

test("a short vowel between two syllables is silent", () => {
  assert.equal(spoken("लगभग मतलब गड़बड़ भारतीय"), "lˈʌɡbʰˌəɡ mˈʌtlˌəb ɡˈʌr.bˌər. bʰˌaːɾtˈiːj");
  assert.equal(spoken("पढ़ती पढ़ना मेहनत"), "pˈʌr.htˌi pˈʌr.hnˌaː mˈeːhnˌət");
});

test("it is spoken between or beside two consonants, and in the last syllable", () => {
  assert.equal(spoken("कमल समझना धन्यवाद सड़क"), "kˈʌməl sˈʌməɟʰnaː dʰˌənjəʋˈaːd sˈʌr.ək");
});

test("before an h that ends a syllable it is open", () => {
  assert.equal(spoken("पहला रहती शहर"), "pˈɛhlˌaː ɾˈɛhtˌi ʃˈɛhɛɾ");
  assert.equal(spoken("नहीं यहाँ महत्व बूढ़ा"), "nˈʌhĩ jˈʌhã məhˈʌtʋ bˈuːr.haː");
});

test("a nasal vowel counts as a vowel, and ends in an n only before a stop", () => {
  assert.equal(spoken("हँसना माँगना पहुँचती"), "hˈʌnsnˌaː mˈãnɡnˌaː pəhˈũnctˌi".normalize("NFC"));
  assert.equal(spoken("गाँव मुँह साँस पाँच"), "ɡˈãːʋ mˈũh sˈãːs pˈãnc".normalize("NFC"));
  assert.equal(spoken("संसद अंधेरा"), "sˈʌnsəd ʌndʰˈeːɾaː");
});

test("words that are not spoken as they are written", () => {
  assert.equal(spoken("मुंबई दुबई रुपए"), "mʊmbˈəi dʊbˈəi ɾʊpˈʌeː");
  assert.equal(spoken("इंत\u095bार"), spoken("इंतज\u093cार"));
  assert.equal(spoken("इंतज़ार इंतजार इंतज़ाम"), "ˌɪntəzˈaːɾ ˌɪntəzˈaːɾ ˌɪntəzˈaːm");
  assert.equal(spoken("यह वह"), "jˌeː ʋˌoː");
  assert.equal(spoken("हफ्ते दफ्तर बर्फ फूल"), "hˈʌfteː dˈʌftəɾ bˈʌɾf pʰˈuːl");
});

test("words from Persian and English have an f, also where the dot is not written", () => {
  assert.equal(spoken("साफ सफाई फोन काफी तरफ"), "sˈaːf səfˈaːi fˈoːn kˈaːfi tˈʌɾəf");
  assert.equal(spoken("सफेदी तूफानों मुसाफिर"), spoken("सफ़ेदी तूफ़ानों मुसाफ़िर"));
  assert.equal(spoken("फल सफल फिर फैलो गुफा"), "pʰˈʌl sˈʌpʰəl pʰˈɪɾ pʰˈɛːloː ɡˈʊpʰaː");
});

test("no vowel ends a word after lm", () => {
  assert.equal(spoken("फिल्म इल्म फिल्मी मित्र"), "fˈɪlm ˈɪlm fˈɪlmi mˈɪtɾə");
});

test("given phonemes are left as they are", () => {
  const [word] = hindi([{ text: "वह", from: 0, to: 0, after: "", phonemes: "ʋəh" }], "hi");
  assert.equal(word?.phonemes.join(""), "ʋəh");
});
