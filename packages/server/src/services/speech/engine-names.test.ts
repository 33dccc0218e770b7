import assert from "node:assert/strict";
import { it } from "node:test";
import { ENGINE_MODELS, RECOGNIZER_MODELS } from "@parlance/protocol";
import { engineNames, recognizerNames } from "@parlance/speech";

it("the engines that a request can name are those of the registry", () => {
  assert.deepEqual([...ENGINE_MODELS].sort(), [...engineNames].sort());
  assert.deepEqual([...RECOGNIZER_MODELS].sort(), [...recognizerNames].sort());
});
