import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInVoices } from "./index.ts";

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
