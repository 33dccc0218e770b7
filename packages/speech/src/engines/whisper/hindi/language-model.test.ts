import assert from "node:assert/strict";
import { test } from "node:test";
import { createLanguageModel } from "./language-model.ts";

const sentences = ["घर के पास पेड़ है।", "नदी के पास घर है।", "वह गाती थी।", "वह नाचती थी।", "वे नाचते थे।"];
const listed = ["पाश", "सोती", "सोते", "रोती"];
const { cost, context } = createLanguageModel(sentences, listed);

test("words cost less where they were counted, and after the words that were before them", { timeout: 10_000 }, () => {
  assert.ok(cost("पास", "के") < cost("पाश", "के"));
  assert.ok(cost("पास", "के") < cost("पास", "वह"));
  assert.ok(cost("वह", "") < cost("वे", "है"));
});

test("words that were not counted count by their endings", { timeout: 10_000 }, () => {
  assert.ok(cost("थी", "सोती") < cost("थे", "सोती"));
  assert.ok(cost("थे", "सोते") < cost("थी", "सोते"));
  assert.equal(context("सोती"), context("रोती"));
  assert.notEqual(context("सोती"), context("सोते"));
});

test("a word that nobody listed has a finite cost", { timeout: 10_000 }, () => {
  assert.ok(Number.isFinite(cost("अज्ञात", "अज्ञात")));
  assert.ok(cost("अज्ञात", "") > cost("वह", ""));
});
