import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseLanguage, isSettled, mayBeEnglish, tellingStretches } from "./choose-language.ts";

const guess = (language: string, probability: number) => ({ language, probability });
const stretch = (from: number, seconds: number) => ({
  from,
  to: from + seconds,
  regions: [{ from, to: from + seconds }],
  certainty: 1,
});

test("stretches vote, and the model's favourite mistakes count for less", () => {
  assert.equal(chooseLanguage([[guess("de", 0.6), guess("nl", 0.4)], [guess("nl", 0.5)], [guess("nl", 0.5)]]), "nl");
  assert.equal(chooseLanguage([[guess("la", 0.5), guess("de", 0.3)]]), "de");
  assert.equal(chooseLanguage([[], []]), undefined);
});

test("one sure opinion is enough for a short recording only", () => {
  assert.ok(isSettled([[guess("fr", 0.95)]], 60));
  assert.ok(!isSettled([[guess("fr", 0.95)]], 3000));
  assert.ok(!isSettled([[guess("fr", 0.5)]], 60));
  assert.ok(!isSettled([[guess("la", 0.95)]], 60));
});

test("who knows only English is asked in doubt", () => {
  assert.ok(mayBeEnglish([guess("nl", 0.5)]) && mayBeEnglish([guess("la", 0.99)]));
  assert.ok(!mayBeEnglish([guess("nl", 0.95)]) && !mayBeEnglish([guess("en", 0.3)]) && !mayBeEnglish([]));
});

test("the most telling stretches are long ones from all over the recording", () => {
  const all = [3, 20, 5, 8, 25, 4, 2, 6, 9].map((seconds, index) => stretch(index * 30, seconds));
  assert.deepEqual(
    tellingStretches(all).map(({ from }) => from),
    [120, 30, 240],
  );
  assert.equal(tellingStretches(all.slice(0, 1)).length, 1);
});
