import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeWindow, knownTokens } from "./decode-window.ts";

/** Words of half a second each, whose token is their number. */
const said = (from: number, to: number, hasTokens = true) =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const times = { start: number / 2, end: number / 2 + 0.5 };
    return { text: `${number}`, ...times, joined: false, ...(hasTokens ? { tokens: [number] } : {}) };
  });

const startOf = (to: number, words: number, kind: "growing" | "pause", isRevision = false) =>
  decodeWindow({ from: 0, to }, said(0, words), kind, isRevision);

test("a long segment is decoded from some stable words on, a short one whole", () => {
  assert.equal(startOf(2, 3, "growing").from, 0);
  assert.equal(startOf(8, 0, "growing").from, 0);
  const [growing, pause] = [startOf(8, 12, "growing").from, startOf(8, 12, "pause").from];
  assert.ok(pause < growing && growing < 5);
});

test("a revision decodes more, and what lies before it is fixed", () => {
  assert.deepEqual(startOf(7, 12, "pause", true), { from: 0, usual: (7 - 3.94) / 7, fixedUntil: 0 });
  assert.ok(startOf(7.1, 12, "pause", true).from > 0);
  const long = startOf(20, 38, "pause", true);
  assert.equal(long.from, long.fixedUntil);
  assert.ok(long.from < startOf(20, 38, "pause").from && 20 - long.from < 8);
  assert.equal(startOf(20, 38, "growing").fixedUntil, long.from);
  assert.equal(startOf(20, 38, "growing").usual, 1);
});

test("stable words are known, and those behind them are a draft", () => {
  const words = { stable: said(0, 6), draft: said(6, 8), fixed: 5, shownDraft: 0 };
  assert.deepEqual(knownTokens(1.94, words), { context: [[4], [5]], draft: [6, 7], before: [0, 1, 2, 3] });
  assert.deepEqual(knownTokens(9, words), { context: [], draft: [6, 7], before: [0, 1, 2, 3, 4, 5] });
  assert.deepEqual(knownTokens(1.94, words, { earlier: said(20, 22) }).before, [20, 21, 0, 1, 2, 3]);
  // The last word that is shown may be the start of another one.
  assert.equal(knownTokens(1.94, { ...words, shownDraft: 2 }).shown, 1);
  assert.equal(knownTokens(1.94, { ...words, shownDraft: 1 }).shown, undefined);
  // Of a recognizer that names no tokens.
  const nameless = { stable: said(0, 6, false), draft: [], fixed: 6, shownDraft: 0 };
  assert.deepEqual(knownTokens(0, nameless), { context: [], draft: [], before: [] });
});

test("a revision starts behind the fixed words of the window", () => {
  const words = { stable: said(0, 6), draft: [], fixed: 5, shownDraft: 0 };
  assert.equal(knownTokens(1.94, words, { isRevised: true }).revisedFrom, 1);
  assert.equal(knownTokens(1.94, { ...words, fixed: 2 }, { isRevised: true }).revisedFrom, 0);
  assert.equal(knownTokens(1.94, words).revisedFrom, undefined);
});
