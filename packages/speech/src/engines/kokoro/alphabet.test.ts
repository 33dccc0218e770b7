import assert from "node:assert/strict";
import { test } from "node:test";
import { kokoroSymbols } from "./alphabet.ts";

test("diphthongs and affricates have one letter, which stress and length stay with", () => {
  assert.equal(kokoroSymbols(["l", "ˈe", "dʒː", "e"], "it"), "lˈeʤːe");
  assert.equal(kokoroSymbols(["f", "ˈa", "tʃː", "o"], "it"), "fˈaʧːo");
  assert.equal(kokoroSymbols(["v", "ˌeɪ", "s", "aʊ"], "pt-br"), "vˌAsW");
});
