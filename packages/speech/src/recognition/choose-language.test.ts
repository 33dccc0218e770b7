import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseLanguage, isDecided, mayBeEnglish, representativeSpans } from "./choose-language.ts";

const guess = (language: string, probability: number) => ({ language, probability });
const span = (from: number, seconds: number) => ({
  from,
  to: from + seconds,
  regions: [{ from, to: from + seconds }],
  certainty: 1,
});

test("the guesses of all spans are added up, and frequent mistakes have less weight", () => {
  assert.equal(chooseLanguage([[guess("de", 0.6), guess("nl", 0.4)], [guess("nl", 0.5)], [guess("nl", 0.5)]]), "nl");
  assert.equal(chooseLanguage([[guess("la", 0.5), guess("de", 0.3)]]), "de");
  assert.equal(chooseLanguage([[], []]), undefined);
});

test("one certain guess is enough for a short recording only", () => {
  assert.ok(isDecided([[guess("fr", 0.95)]], 60));
  assert.ok(!isDecided([[guess("fr", 0.95)]], 3000));
  assert.ok(!isDecided([[guess("fr", 0.5)]], 60));
  assert.ok(!isDecided([[guess("la", 0.95)]], 60));
});

test("an uncertain guess is checked for English", () => {
  assert.ok(mayBeEnglish([guess("nl", 0.5)]) && mayBeEnglish([guess("la", 0.99)]));
  assert.ok(!mayBeEnglish([guess("nl", 0.95)]) && !mayBeEnglish([guess("en", 0.3)]) && !mayBeEnglish([]));
});

test("representative spans are long and from all parts of the recording", () => {
  const all = [3, 20, 5, 8, 25, 4, 2, 6, 9].map((seconds, index) => span(index * 30, seconds));
  assert.deepEqual(
    representativeSpans(all).map(({ from }) => from),
    [120, 30, 240],
  );
  assert.equal(representativeSpans(all.slice(0, 1)).length, 1);
});
