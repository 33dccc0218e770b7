import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { concatSamples, noise } from "../testing/signals.ts";
import { alignToPauses } from "./align-to-pauses.ts";
import { findPauses } from "./pauses.ts";

const word = (text: string, start: number, end: number) => ({ text, start, end, joined: false });

test("silences are pauses, closures of consonants are not", () => {
  const rate = 16_000;
  const sound = (seconds: number, level: number) => noise(Math.round(seconds * rate), level);
  const samples = concatSamples([
    sound(0.5, 0.3),
    sound(0.3, 0.002),
    sound(0.5, 0.3),
    sound(0.05, 0.002),
    sound(0.5, 0.3),
  ]);
  const [pause, ...more] = findPauses(samples, rate);
  assert.ok(pause && Math.abs(pause.from - 0.5) < 0.011 && Math.abs(pause.to - 0.8) < 0.011);
  assert.deepEqual(more, []);
  assert.deepEqual(findPauses(sound(1, 0.3), rate), []);
});

test("words around a pause are moved to its edges, other words stay adjacent", () => {
  const words = [word("one", 0.1, 0.45), word("two", 0.6, 0.9), word("three", 1.2, 1.5)];
  const aligned = alignToPauses(words, [{ from: 0.4, to: 0.7 }], { from: 0.05, to: 1.6 });
  assert.deepEqual(
    aligned.map(({ start, end }) => [start, end]),
    [
      [0.1, 0.4],
      [0.7, 1.2],
      [1.2, 1.6],
    ],
  );
});

test("the first word does not start before the speech", () => {
  const [first] = alignToPauses([word("one", 0, 0.9), word("two", 0.9, 1.5)], [{ from: 0, to: 0.3 }], {
    from: 0.2,
    to: 1.5,
  });
  assert.equal(first?.start, 0.3);
});

test("words are always in order, do not overlap and stay within the speech", () => {
  const time = fc.double({ min: 0, max: 10, noNaN: true });
  const region = fc.tuple(time, time).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
  const words = fc
    .array(fc.tuple(time, time), { maxLength: 12 })
    .map((times) => times.map(([a, b]) => word("x", a, b)));
  fc.assert(
    fc.property(words, fc.array(region, { maxLength: 6 }), region, (recognized, pauses, speech) => {
      const aligned = alignToPauses(recognized, pauses, speech);
      assert.equal(aligned.length, recognized.length);
      aligned.forEach(({ start, end }, index) => {
        assert.ok(start >= speech.from && end <= speech.to && end >= start);
        assert.ok(start >= (aligned[index - 1]?.end ?? 0));
      });
    }),
  );
});
