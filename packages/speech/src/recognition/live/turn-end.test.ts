import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurnEnding, DEFAULT_TURN_END, leastSilence, sentenceEndOf, silenceToEnd } from "./turn-end.ts";

const spoken = (text: string, sentenceEnd?: number) => ({
  words: text.split(" ").map((word) => ({ text: word })),
  sentenceEnd,
});

test("a sentence ends where the recognizer is certain of it", () => {
  for (const [probability, expected] of [
    [0.999, "certain"],
    [0.992, "nearly"],
    [0.9, "likely"],
    [0.5, "possible"],
    [0.3, "none"],
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
  assert.equal(silenceToEnd(turnEnd, spoken("Good morning.", 0.9)), 0.352);
  assert.equal(silenceToEnd(turnEnd, spoken("Good morning.", 0.5)), 0.8);
  assert.equal(silenceToEnd(turnEnd, spoken("Good")), 1);
  assert.equal(leastSilence(DEFAULT_TURN_END), 0.3);
  assert.equal(silenceToEnd({ by: "silence", silenceMs: 700 }, spoken("Good.")), 0.7);
  assert.equal(leastSilence({ by: "client" }), Number.POSITIVE_INFINITY);
});

test("who paused longer before is waited for longer, unless the sentence has surely ended", () => {
  const ending = createTurnEnding({ by: "words", sentenceMs: 200, middleMs: 1000 });
  const isOver = (silence: number, ...probabilities: number[]): boolean[] =>
    probabilities.map((probability) => ending.isOver(silence, spoken("Good morning.", probability)));
  assert.deepEqual([ending.mayBeOver(0.19), ending.mayBeOver(0.2)], [false, true]);
  assert.deepEqual([...isOver(0.35, 0.9), ...isOver(0.36, 0.9)], [false, true]);
  for (const pause of [0.16, 0.56, 0.2]) ending.wentOn(pause);
  assert.deepEqual(isOver(0.83, 1, 0.9, 0.5, 0), [true, false, false, false]);
  assert.deepEqual(isOver(0.84, 1, 0.9, 0.5, 0), [true, true, true, false]);
  assert.deepEqual(isOver(0.4, 0.992), [true]);
  // Never longer than in the middle of a sentence, whose silence ends the turn.
  ending.wentOn(0.95);
  ending.wentOn(3);
  assert.deepEqual([...isOver(0.99, 0.9), ...isOver(1, 0.9)], [false, true]);
  // And not for ever.
  for (let count = 0; count < 8; count++) ending.wentOn(0.2);
  assert.deepEqual(isOver(0.4, 0.9), [true]);
});

test("with silence alone, pauses change nothing", () => {
  const ending = createTurnEnding({ by: "silence", silenceMs: 300 });
  ending.wentOn(0.29);
  assert.ok(ending.isOver(0.3, spoken("and", 0)));
});
