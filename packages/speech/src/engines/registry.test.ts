import assert from "node:assert/strict";
import { test } from "node:test";
import { RECOGNIZER_SIZES } from "./recognizer.ts";
import { cloningEngine, engineDescriptors, recognizerDescriptors } from "./registry.ts";
import { engineSwitch, qualitySetting, sizeSetting } from "./settings.ts";

test("names are unique, and the required models belong to the descriptor", () => {
  const all = [...engineDescriptors, ...recognizerDescriptors].map(({ name }) => name as string);
  assert.equal(new Set(all).size, all.length);
  for (const { name, models, requiredModel } of engineDescriptors)
    assert.ok(
      models.some(({ id }) => id === requiredModel),
      name,
    );
  for (const { name, models, sizeMeaning, model } of recognizerDescriptors) {
    for (const size of sizeMeaning === undefined ? (["base"] as const) : RECOGNIZER_SIZES)
      assert.ok(
        models.some(({ id }) => id === model(size)),
        `${name} ${size}`,
      );
  }
});

test("an engine can be pulled by its name", () => {
  for (const { name, models, requiredModel } of engineDescriptors)
    assert.ok(models.find(({ id }) => id === requiredModel)?.sets.includes(name), name);
});

test("each setting of engines comes from one of them", () => {
  assert.equal(engineDescriptors.filter(({ switchMeaning }) => switchMeaning !== undefined).length, 1);
  assert.equal(engineDescriptors.filter(({ qualityMeaning }) => qualityMeaning !== undefined).length, 1);
  assert.equal(recognizerDescriptors.filter(({ sizeMeaning }) => sizeMeaning !== undefined).length, 1);
  const variables = [engineSwitch, qualitySetting, sizeSetting].map(({ variable }) => variable);
  assert.deepEqual(variables, ["PARLANCE_KOKORO", "PARLANCE_KOKORO_QUALITY", "PARLANCE_WHISPER"]);
});

test("one engine supports cloning, and one recognizer detects the language", () => {
  assert.equal(engineDescriptors.filter(({ cloning }) => cloning).length, 1);
  assert.ok(cloningEngine.cloning.embeddingSize > 0);
  assert.equal(recognizerDescriptors.filter(({ detectsLanguage }) => detectsLanguage).length, 1);
});
