import assert from "node:assert/strict";
import { test } from "node:test";
import { engineDescriptors } from "../engines/registry.ts";
import { defaultVoiceOf } from "./default-voice.ts";
import { stockVoices } from "./stock-voices.ts";

test("ids are 32 hex digits, and ids and slugs are unique", () => {
  for (const voice of stockVoices) assert.match(voice.id, /^[0-9a-f]{32}$/);
  assert.equal(new Set(stockVoices.map((voice) => voice.id)).size, stockVoices.length);
  assert.equal(new Set(stockVoices.map((voice) => voice.slug)).size, stockVoices.length);
});

test("ids never change: clients store them", () => {
  const id = (slug: string) => stockVoices.find((voice) => voice.slug === slug)?.id;
  assert.equal(id("clara"), "a0deb96a00ce30b684e71995e67041a6");
  assert.equal(id("af_heart"), "067b7b9d6777c1936f1fdf4fc51caed1");
});

test("Kokoro's voices are all offered, Japanese and Chinese ones too", () => {
  assert.equal(stockVoices.filter((voice) => voice.engine === "kokoro").length, 54);
  const count = (language: string) => stockVoices.filter((voice) => voice.language === language).length;
  assert.deepEqual([count("ja-JP"), count("zh-CN")], [5, 8]);
});

test("the default voice is Kokoro's, and Piper's where only Piper is installed", () => {
  assert.equal(defaultVoiceOf(stockVoices), stockVoices[0]);
  assert.equal(defaultVoiceOf(stockVoices)?.slug, "af_heart");
  const piper = stockVoices.filter((voice) => voice.engine === "piper");
  assert.equal(defaultVoiceOf(piper)?.slug, "clara");
  assert.equal(defaultVoiceOf([]), undefined);
});

test("every language with a voice has a default voice, by region where there is a choice", () => {
  for (const { language } of stockVoices) {
    const voice = defaultVoiceOf(stockVoices, language);
    assert.equal(voice?.language.slice(0, 2), language.slice(0, 2), language);
  }
  assert.equal(defaultVoiceOf(stockVoices, "en-GB")?.slug, "bf_emma");
  assert.equal(defaultVoiceOf(stockVoices, "en-AU")?.slug, "af_heart");
  assert.equal(defaultVoiceOf(stockVoices, "pt-PT")?.slug, "pf_dora");
  assert.equal(defaultVoiceOf(stockVoices, "de")?.slug, "if_sara");
  assert.equal(defaultVoiceOf(stockVoices, "id")?.slug, "ef_dora");
  assert.equal(defaultVoiceOf(stockVoices, "ko"), undefined);
  const withoutKokoro = stockVoices.filter(({ engine }) => engine !== "kokoro");
  assert.equal(defaultVoiceOf(withoutKokoro, "en-GB")?.slug, "clara");
});

test("every default voice of an engine is one of its voices", () => {
  for (const { name, defaultVoices, voices } of engineDescriptors) {
    for (const slug of Object.values(defaultVoices)) {
      assert.ok(
        voices.some((voice) => voice.slug === slug),
        `${name}: ${slug}`,
      );
    }
  }
});
