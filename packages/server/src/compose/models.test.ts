import assert from "node:assert/strict";
import { it } from "node:test";
import { readConfig } from "../config/config.ts";
import { backgroundModels, canClone, cloningModels } from "./models.ts";

it("fetches the models for cloning in the background, so that the first voice need not wait", () => {
  const models = backgroundModels(readConfig({}).config);
  for (const id of cloningModels()) assert.ok(models.includes(id), id);
  assert.ok(!cloningModels().some((id) => id.startsWith("piper")), "clones speak through Kokoro");
});

it("clones voices unless cloning or its engine is off", () => {
  const isPossible = (settings: Readonly<Record<string, string>>) => canClone(readConfig(settings).config);
  assert.deepEqual(
    [{}, { PARLANCE_CLONING: "lazy" }, { PARLANCE_CLONING: "off" }, { PARLANCE_KOKORO: "off" }].map(isPossible),
    [true, true, false, false],
  );
});
