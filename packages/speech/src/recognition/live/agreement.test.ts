import assert from "node:assert/strict";
import { test } from "node:test";
import { createAgreement } from "./agreement.ts";

/** Words of half a second each. */
const said = (text: string, from = 0) =>
  text
    .split(" ")
    .map((word, index) => ({ text: word, start: from + index / 2, end: from + index / 2 + 0.5, joined: false }));
const textsOf = (words: readonly { readonly text: string }[]): string => words.map(({ text }) => text).join(" ");

test("words are stable when two decodings agree on them, but never the last one", () => {
  const agreement = createAgreement();
  agreement.add(said("the cat sat."), { growingUntil: 2 });
  assert.equal(textsOf(agreement.words), "the cat sat");
  assert.equal(agreement.stable.length, 0);
  agreement.add(said("The cat sat on the"), { growingUntil: 3 });
  assert.equal(textsOf(agreement.stable), "The cat");
  agreement.add(said("The hat sat on the mat."), { growingUntil: undefined });
  assert.equal(textsOf(agreement.words), "The cat sat on the mat.");
});

test("a word that may be cut off is not shown", () => {
  const agreement = createAgreement();
  agreement.add(said("one two"), { growingUntil: 0.7 });
  assert.equal(textsOf(agreement.words), "one");
  agreement.add(said("one two"), { growingUntil: undefined });
  assert.equal(textsOf(agreement.words), "one two");
});

test("an unlikely word waits for the next decoding, with those behind it", () => {
  const agreement = createAgreement();
  const unlikely = said("the cat sat on the").map((word, index) => ({ ...word, probability: index === 2 ? 0.3 : 0.9 }));
  agreement.add(unlikely, { growingUntil: 4 });
  assert.equal(textsOf(agreement.words), "the cat");
  agreement.add(unlikely, { growingUntil: 4 });
  assert.equal(textsOf(agreement.stable), "the cat");
});

test("an unlikely word before a pause is known, but not shown until the pause lasts", () => {
  const agreement = createAgreement();
  const unlikely = said("the cat sat on the").map((word, index) => ({ ...word, probability: index === 2 ? 0.3 : 0.9 }));
  agreement.add(unlikely, { growingUntil: undefined });
  assert.deepEqual([textsOf(agreement.words), textsOf(agreement.shown)], ["the cat sat on the", "the cat"]);
  agreement.showAll();
  assert.equal(textsOf(agreement.shown), "the cat sat on the");
  // Somebody goes on before it was shown: it may become another word.
  const resumed = createAgreement();
  resumed.add(unlikely, { growingUntil: undefined });
  resumed.add(said("the cat satin"), { growingUntil: 4 });
  assert.equal(textsOf(resumed.shown), "the cat satin");
  assert.equal(textsOf(resumed.words), "the cat satin");
});

test("the last word is shown when it is very likely, or a decoding later", () => {
  const agreement = createAgreement();
  const cut = said("made more respect").map((word, index) => ({ ...word, probability: index === 2 ? 0.7 : 0.9 }));
  agreement.add(cut, { growingUntil: 4 });
  assert.equal(textsOf(agreement.shown), "made more");
  agreement.add(cut, { growingUntil: 4 });
  assert.equal(textsOf(agreement.shown), "made more respect");
});

test("an unlikely word that two decodings agree on is stable only when it is old", () => {
  const agreement = createAgreement();
  const unlikely = said("the cat sat on the").map((word, index) => ({ ...word, probability: index === 1 ? 0.3 : 0.9 }));
  for (const [growingUntil, stable] of [
    [3, ""],
    [3.2, "the"],
    [4, "the cat sat on"],
  ] as const) {
    agreement.add(unlikely, { growingUntil });
    assert.equal(textsOf(agreement.stable), stable);
  }
});

test("a word that is shown changes when two decodings agree on the other one, or at a pause", () => {
  const agreement = createAgreement();
  agreement.add(said("whom you see awake"), { growingUntil: 4 });
  agreement.add(said("who you see awake is"), { growingUntil: 4 });
  assert.equal(textsOf(agreement.words), "whom you see awake");
  // The next decoding compares what is shown.
  assert.deepEqual([textsOf(agreement.draft), agreement.shownDraft], ["whom you see awake", 4]);
  // Taken back: nobody saw it.
  agreement.add(said("whom you see awake is the"), { growingUntil: 5 });
  assert.equal(textsOf(agreement.words), "whom you see awake is the");
  agreement.add(said("who you see awake is the"), { growingUntil: 5 });
  agreement.add(said("who you see awake is the one"), { growingUntil: 5 });
  assert.equal(textsOf(agreement.words), "who you see awake is the one");
  const paused = createAgreement();
  paused.add(said("whom you see"), { growingUntil: 4 });
  paused.add(said("who you see"), { growingUntil: undefined });
  assert.equal(textsOf(paused.words), "who you see");
});

test("likely words before a pause are stable, but not the last one", () => {
  const probabilities =
    (...values: readonly number[]) =>
    (word: ReturnType<typeof said>[number], index: number) => ({
      ...word,
      probability: values[index] ?? 0,
    });
  const agreement = createAgreement();
  agreement.add(said("a squire now.").map(probabilities(0.9, 0.8, 0.9)), { growingUntil: undefined });
  assert.equal(textsOf(agreement.stable), "a squire");
  for (const growingUntil of [4, 4.5])
    agreement.add(said("a square in there that").map(probabilities(0.9, 0.9, 0.9, 0.9)), {
      growingUntil,
      stableWords: 2,
    });
  assert.equal(textsOf(agreement.stable), "a squire in there");
  const unlikely = createAgreement();
  unlikely.add(said("a squire now.").map(probabilities(0.9, 0.4, 0.9)), { growingUntil: undefined });
  assert.equal(textsOf(unlikely.stable), "a");
});

test("words that a recognizer starts again with are left out", () => {
  const agreement = createAgreement();
  const looped = said("he might have been he might have been");
  agreement.add(looped, { growingUntil: 9 });
  assert.equal(textsOf(agreement.words), "he might have been");
  agreement.add(looped, { growingUntil: undefined });
  assert.equal(textsOf(agreement.words), "he might have been he might have been");
});

test("a window that starts late continues after the last stable word", () => {
  const agreement = createAgreement();
  agreement.add(said("a b c d e"), { growingUntil: 4 });
  agreement.add(said("a b c d e"), { growingUntil: 4 });
  assert.equal(textsOf(agreement.stable), "a b c d");
  agreement.add(said("c d e f", 1.05), { growingUntil: 5 });
  assert.equal(textsOf(agreement.words), "a b c d e f");
  // The last stable word was heard differently: its time decides.
  agreement.add(said("x e f g", 1.5), { growingUntil: 5 });
  assert.equal(textsOf(agreement.words), "a b c d e f g");
});

test("words behind known stable ones are not looked for", () => {
  const agreement = createAgreement();
  agreement.add(said("well no yes"), { growingUntil: 4 });
  agreement.add(said("well no yes"), { growingUntil: 4 });
  assert.equal(textsOf(agreement.stable), "well no");
  assert.equal(textsOf(agreement.draft), "yes");
  // The same word again, at about the same time: only its number tells it apart.
  agreement.add(said("no no yes", 0.4), { growingUntil: 4, stableWords: 1 });
  assert.equal(textsOf(agreement.words), "well no no yes");
  assert.equal(textsOf(agreement.draft), "no yes");
});

test("after a cut the rest goes on", () => {
  const agreement = createAgreement();
  agreement.add(said("a b c d e"), { growingUntil: 4 });
  agreement.add(said("a b c d e"), { growingUntil: 4 });
  agreement.cut(2);
  assert.equal(textsOf(agreement.stable), "c d");
  assert.equal(textsOf(agreement.words), "c d e");
});

test("a revision replaces stable words, but not those that are fixed", () => {
  const agreement = createAgreement();
  const heard = said("it must be in the neighborhood now").map((word, index) => ({
    ...word,
    tokens: [index],
    probability: index === 4 ? 0.6 : 0.95,
  }));
  for (const growingUntil of [6, 6.5]) agreement.add(heard, { growingUntil });
  assert.equal(textsOf(agreement.stable), "it must be in the neighborhood");
  assert.equal(agreement.fixed, 4);
  const revised = said("be at thy own neighborhood now", 1);
  agreement.add(revised, { growingUntil: undefined, stableWords: 5, revisedFrom: 0.9 });
  assert.equal(textsOf(agreement.words), "it must be in thy own neighborhood now");
  assert.equal(agreement.words[3], heard[3]);
  assert.equal(agreement.fixed, agreement.stable.length);
});

test("words are fixed when no revision reaches them any more", () => {
  const agreement = createAgreement();
  const heard = said("a b c d").map((word) => ({ ...word, tokens: [1], probability: 0.6 }));
  for (const fixedUntil of [0, 0]) agreement.add(heard, { growingUntil: 6, fixedUntil });
  assert.deepEqual([agreement.stable.length, agreement.fixed], [3, 0]);
  agreement.add(heard, { growingUntil: 6, fixedUntil: 0.8 });
  assert.equal(agreement.fixed, 2);
  agreement.cut(1);
  assert.equal(agreement.fixed, 1);
});
