import assert from "node:assert/strict";
import { test } from "node:test";
import { knownTokens, windowStart } from "./decode-window.ts";

/** Words of half a second each, whose token is their number. */
const said = (from: number, to: number, hasTokens = true) =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const times = { start: number / 2, end: number / 2 + 0.5 };
    return { text: `${number}`, ...times, joined: false, ...(hasTokens ? { tokens: [number] } : {}) };
  });

test("a long segment is decoded from some stable words on, a short one whole", () => {
  assert.equal(windowStart({ from: 0, to: 2 }, said(0, 3), "growing"), 0);
  assert.equal(windowStart({ from: 0, to: 8 }, [], "growing"), 0);
  const [growing, pause] = (["growing", "pause"] as const).map((kind) =>
    windowStart({ from: 0, to: 8 }, said(0, 12), kind),
  );
  assert.ok(growing !== undefined && pause !== undefined && pause < growing && growing < 5);
});

test("stable words are known, and those behind them are a draft", () => {
  const words = { stable: said(0, 6), draft: said(6, 8) };
  assert.deepEqual(knownTokens(1.94, words), { context: [[4], [5]], draft: [6, 7], before: [0, 1, 2, 3] });
  assert.deepEqual(knownTokens(9, words), { context: [], draft: [6, 7], before: [0, 1, 2, 3, 4, 5] });
  assert.deepEqual(knownTokens(1.94, words, said(20, 22)).before, [20, 21, 0, 1, 2, 3]);
  // Of a recognizer that names no tokens.
  assert.deepEqual(knownTokens(0, { stable: said(0, 6, false), draft: [] }), { context: [], draft: [], before: [] });
});
