import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { countCharacters } from "../wire/limits.ts";
import { creditsForText, creditsForTranscription } from "./prices.ts";

it("charges one credit for each UTF-8 byte", () => {
  assert.equal(creditsForText("a"), 1);
  assert.equal(creditsForText("é"), 2);
  assert.equal(creditsForText("😀"), 4);
  assert.equal(creditsForText(""), 0);
});

it("charges each started second of a transcription", () => {
  assert.equal(creditsForTranscription(1), 7);
  assert.equal(creditsForTranscription(1.01), 14);
});

it("counts characters as code points", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => assert.equal(countCharacters(text), [...text].length)),
  );
  assert.equal(countCharacters("\ud800x\udc00"), 3);
});
