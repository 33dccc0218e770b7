import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_TURN_END, leastSilence, sentenceEndOf, silenceToEnd } from "./turn-end.ts";

const spoken = (text: string, sentenceEnd?: number) => ({
  words: text.split(" ").map((word) => ({ text: word })),
  sentenceEnd,
});

test("a sentence ends where the recognizer is certain of it", () => {
  for (const [probability, expected] of [
    [0.999, "certain"],
    [0.95, "likely"],
    [0.8, "possible"],
    [0.6, "none"],
  ] as const) {
    assert.equal(sentenceEndOf(spoken("Good morning.", probability)), expected);
    // Some recognizers write no marks.
    assert.equal(sentenceEndOf(spoken("good morning", probability)), expected);
  }
  for (const text of ["", "I went to the.", "And so\u2026", "Well...", "Um."])
    assert.equal(sentenceEndOf(spoken(text, 1)), "none", text);
});

test("without an estimate of the recognizer its marks decide", () => {
  for (const text of ["Good morning.", "Really?", "He said \u201cno.\u201d", "\u662f\u7684\u3002"])
    assert.equal(sentenceEndOf(spoken(text)), "likely", text);
  for (const text of ["", "Good", "If that,", "I went to the.", "Well..."])
    assert.equal(sentenceEndOf(spoken(text)), "none", text);
});

test("the silence that ends a turn depends on the words, or on nothing else", () => {
  const turnEnd = { by: "words", sentenceMs: 200, middleMs: 1000 } as const;
  assert.equal(silenceToEnd(turnEnd, spoken("Good morning.", 1)), 0.2);
  assert.equal(silenceToEnd(turnEnd, spoken("Good morning.", 0.95)), 0.336);
  assert.equal(silenceToEnd(turnEnd, spoken("Good morning.", 0.8)), 0.72);
  assert.equal(silenceToEnd(turnEnd, spoken("Good")), 1);
  assert.equal(leastSilence(DEFAULT_TURN_END), 0.3);
  assert.equal(silenceToEnd({ by: "silence", silenceMs: 700 }, spoken("Good.")), 0.7);
  assert.equal(leastSilence({ by: "client" }), Number.POSITIVE_INFINITY);
});
