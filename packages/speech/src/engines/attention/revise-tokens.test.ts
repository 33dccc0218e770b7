import assert from "node:assert/strict";
import { test } from "node:test";
import { reviseTokens } from "./revise-tokens.ts";

const END = 9;

/**
 * A decoder of ten tokens that says which one is likeliest after these, and by how much: all others have the score 0. Counts
 * what it was asked for.
 */
function decoderOf(likeliest: (before: readonly number[]) => readonly [token: number, score: number]) {
  const asked = { checks: 0, steps: 0 };
  const stepAfter = (before: readonly number[]) => {
    const [best, score] = likeliest(before);
    return { scores: Float32Array.from({ length: 10 }, (_, token) => (token === best ? score : 0)), attention: [] };
  };
  const check = async (tokens: readonly number[]) => {
    asked.checks++;
    return {
      steps: [...tokens, END].map((_, index) => stepAfter(tokens.slice(0, index))),
      after(count: number) {
        const taken = tokens.slice(0, count - 1);
        return {
          async next(token: number) {
            asked.steps++;
            taken.push(token);
            return stepAfter(taken);
          },
        };
      },
    };
  };
  return { check, asked };
}

/** The audio has these tokens. */
const hears = (tokens: readonly number[], score = 6) =>
  decoderOf((before) => [tokens[before.length] ?? END, score] as const);

test("tokens that are less likely than others are replaced, up to where both are the same", async () => {
  const { check, asked } = hears([1, 2, 3, 4, 5, 6]);
  const { tokens, to, isChanged } = await reviseTokens(check, [1, 7, 3, 4, 5, 6], { from: 0, to: 5 }, END);
  assert.deepEqual({ tokens, to, isChanged }, { tokens: [1, 2, 3, 4, 5, 6], to: 5, isChanged: true });
  assert.deepEqual(asked, { checks: 2, steps: 2 });
});

test("tokens that are as likely as others, or fixed, or behind the context, are kept", async () => {
  const slightly = hears([1, 2, 3, 4, 5, 6], 0.2);
  const given = [1, 7, 3, 4, 5, 6];
  assert.equal((await reviseTokens(slightly.check, given, { from: 0, to: 5 }, END)).isChanged, false);
  const { check, asked } = hears([1, 2, 3, 4, 5, 6]);
  assert.equal((await reviseTokens(check, given, { from: 2, to: 6 }, END)).isChanged, false);
  assert.equal((await reviseTokens(check, given, { from: 0, to: 1 }, END)).isChanged, false);
  assert.equal((await reviseTokens(check, given, { from: Infinity, to: 6 }, END)).isChanged, false);
  assert.equal(asked.steps, 0);
});

test("the context grows and shrinks with the tokens that are put in and left out", async () => {
  // What follows depends on the last token alone.
  const { check } = decoderOf((before) => [((before.at(-1) ?? 0) + 1) % 10, 6] as const);
  const longer = await reviseTokens(check, [1, 2, 4, 5, 6], { from: 0, to: 4 }, END);
  assert.deepEqual([longer.tokens, longer.to], [[1, 2, 3, 4, 5, 6], 5]);
  const shorter = await reviseTokens(check, [1, 2, 8, 3, 4, 5, 6], { from: 0, to: 6 }, END);
  assert.deepEqual([shorter.tokens, shorter.to], [[1, 2, 3, 4, 5, 6], 5]);
});

test("tokens that are never the same again change nothing, after a bounded number of steps", async () => {
  const { check, asked } = hears([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
  const given = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 1 : 3));
  const { isChanged } = await reviseTokens(check, given, { from: 0, to: 16 }, END);
  assert.equal(isChanged, false);
  assert.deepEqual(asked, { checks: 1, steps: 36 });
});

test("others are tried in four places", async () => {
  const { check, asked } = hears([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3]);
  const given = [7, 2, 3, 7, 5, 6, 7, 2, 3, 7, 5, 6, 7, 2, 3];
  const { tokens } = await reviseTokens(check, given, { from: 0, to: 15 }, END);
  assert.deepEqual(tokens, [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7, 2, 3]);
  assert.deepEqual(asked, { checks: 5, steps: 8 });
});

test("ten tokens replace others, but not eleven", async () => {
  // Others end with two that are the same.
  for (const [different, isReplaced] of [
    [8, true],
    [9, false],
  ] as const) {
    const { check } = hears([...Array.from({ length: different }, () => 1), 3, 4]);
    const given = [...Array.from({ length: different }, () => 2), 3, 4];
    const { isChanged } = await reviseTokens(check, given, { from: 0, to: 1 }, END);
    assert.equal(isChanged, isReplaced, `${different}`);
  }
});

test("ten tokens are left out, but not eleven", async () => {
  for (const [wrong, isReplaced] of [
    [10, true],
    [11, false],
  ] as const) {
    const { check } = decoderOf((before) => [((before.at(-1) ?? 0) + 1) % 10, 6] as const);
    const given = [1, 2, ...Array.from({ length: wrong }, () => 8), 3, 4, 5];
    const { isChanged } = await reviseTokens(check, given, { from: 0, to: given.length }, END);
    assert.equal(isChanged, isReplaced, `${wrong}`);
  }
});

test("tokens that were shown are kept unless others are clearly likelier", async () => {
  const given = [1, 7, 3, 4, 5, 6];
  const range = { from: Infinity, to: 0, shownTo: 5 };
  const slightly = hears([1, 2, 3, 4, 5, 6], 0.6);
  const kept = await reviseTokens(slightly.check, given, range, END);
  assert.deepEqual([kept.tokens, kept.kept], [given, 5]);
  const clearly = hears([1, 2, 3, 4, 5, 6]);
  const { tokens, kept: end, isChanged } = await reviseTokens(clearly.check, given, range, END);
  assert.deepEqual({ tokens, end, isChanged }, { tokens: [1, 2, 3, 4, 5, 6], end: 5, isChanged: false });
});

test("tokens that were shown are decoded again where the others are never the same", async () => {
  const { check } = hears([1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
  const { tokens, kept } = await reviseTokens(check, [1, 7, 3, 4], { from: Infinity, to: 0, shownTo: 3 }, END);
  assert.deepEqual([tokens.slice(0, kept), kept], [[1], 1]);
  const silent = hears([1]);
  const none = await reviseTokens(silent.check, [1, 7, 3], { from: Infinity, to: 0, shownTo: 2 }, END);
  assert.deepEqual([none.kept, silent.asked.steps], [1, 0]);
});
