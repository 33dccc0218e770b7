import assert from "node:assert/strict";
import { test } from "node:test";
import { cloningEngine, engineDescriptors, recognizerDescriptors } from "./registry.ts";

test("names are unique, and the required models belong to the descriptor", () => {
  const all = [...engineDescriptors, ...recognizerDescriptors].map(({ name }) => name as string);
  assert.equal(new Set(all).size, all.length);
  for (const { name, models, requiredModel } of engineDescriptors)
    assert.ok(
      models.some(({ id }) => id === requiredModel),
      name,
    );
  for (const { name, models, hasSizes, model } of recognizerDescriptors) {
    for (const size of hasSizes ? (["tiny", "base", "small"] as const) : (["base"] as const))
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

test("one engine supports cloning, and one recognizer detects the language", () => {
  assert.equal(engineDescriptors.filter(({ cloning }) => cloning).length, 1);
  assert.ok(cloningEngine.cloning.embeddingSize > 0);
  assert.equal(recognizerDescriptors.filter(({ detectsLanguage }) => detectsLanguage).length, 1);
});
