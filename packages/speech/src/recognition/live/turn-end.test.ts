import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_TURN_END, leastSilence, sentenceEndOf, silenceToEnd } from "./turn-end.ts";

const spoken = (text: string, sentenceEnd?: number) => ({
  words: text.split(" ").map((word) => ({ text: word })),
  sentenceEnd,
});

test("a sentence ends with a mark that the recognizer is certain of", () => {
  for (const text of ["Good morning.", "Really?", "He said \u201cno.\u201d", "\u662f\u7684\u3002"])
    assert.equal(sentenceEndOf(spoken(text)), "certain", text);
  for (const text of ["", "Good", "If that,", "I went to the.", "And so\u2026", "Well...", "Um."])
    assert.equal(sentenceEndOf(spoken(text)), "none", text);
  assert.equal(sentenceEndOf(spoken("Good morning.", 0.99)), "certain");
  assert.equal(sentenceEndOf(spoken("Good morning.", 0.95)), "likely");
  assert.equal(sentenceEndOf(spoken("Good morning.", 0.8)), "none");
});

test("the silence that ends a turn depends on the words, or on nothing else", () => {
  assert.equal(silenceToEnd(DEFAULT_TURN_END, spoken("Good morning.")), 0.3);
  assert.equal(silenceToEnd(DEFAULT_TURN_END, spoken("Good morning.", 0.95)), 0.545);
  assert.equal(silenceToEnd(DEFAULT_TURN_END, spoken("Good")), 1);
  assert.equal(leastSilence(DEFAULT_TURN_END), 0.3);
  assert.equal(silenceToEnd({ by: "silence", silenceMs: 700 }, spoken("Good.")), 0.7);
  assert.equal(leastSilence({ by: "client" }), Number.POSITIVE_INFINITY);
});
