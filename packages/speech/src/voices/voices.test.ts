import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultVoices } from "./defaults.ts";
import { builtInVoices, defaultVoiceOf } from "./index.ts";

test("ids are 32 hex digits and slugs are unique", () => {
  for (const voice of builtInVoices) assert.match(voice.id, /^[0-9a-f]{32}$/);
  assert.equal(new Set(builtInVoices.map((voice) => voice.id)).size, builtInVoices.length);
  assert.equal(new Set(builtInVoices.map((voice) => voice.slug)).size, builtInVoices.length);
});

test("ids never change: clients keep them", () => {
  const id = (slug: string) => builtInVoices.find((voice) => voice.slug === slug)?.id;
  assert.equal(id("clara"), "a0deb96a00ce30b684e71995e67041a6");
  assert.equal(id("af_heart"), "067b7b9d6777c1936f1fdf4fc51caed1");
});

test("Kokoro's voices in languages that are mispronounced are not offered", () => {
  assert.equal(builtInVoices.filter((voice) => voice.engine === "kokoro").length, 41);
  assert.ok(!builtInVoices.some((voice) => /^(ja|zh)/.test(voice.language)));
});

test("Kokoro speaks when nobody was named, and Piper where there is no Kokoro", () => {
  assert.equal(defaultVoiceOf(builtInVoices), builtInVoices[0]);
  assert.equal(defaultVoiceOf(builtInVoices)?.slug, "af_heart");
  const piper = builtInVoices.filter((voice) => voice.engine === "piper");
  assert.equal(defaultVoiceOf(piper)?.slug, "clara");
  assert.equal(defaultVoiceOf([]), undefined);
});

test("every language that there is a voice for has its own default, by region where it matters", () => {
  for (const { language } of builtInVoices) {
    const voice = defaultVoiceOf(builtInVoices, language);
    assert.equal(voice?.language.slice(0, 2), language.slice(0, 2), language);
  }
  assert.equal(defaultVoiceOf(builtInVoices, "en-GB")?.slug, "bf_emma");
  assert.equal(defaultVoiceOf(builtInVoices, "en-AU")?.slug, "af_heart");
  assert.equal(defaultVoiceOf(builtInVoices, "pt-PT")?.slug, "pf_dora");
  assert.equal(defaultVoiceOf(builtInVoices, "de"), undefined);
});

test("the table of defaults names voices that there are", () => {
  for (const slug of Object.values(defaultVoices).flat()) {
    assert.ok(
      builtInVoices.some((voice) => voice.slug === slug),
      slug,
    );
  }
});
