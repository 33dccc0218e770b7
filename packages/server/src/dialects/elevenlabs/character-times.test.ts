import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { characterTimes, joinTimes } from "./character-times.ts";

describe("the times of characters", () => {
  it("share the time of a word and of the pause between two words", () => {
    const segments = [
      { text: "Hi", start: 0.1, end: 0.3 },
      { text: "you", start: 0.5, end: 0.8 },
    ];
    assert.deepEqual(characterTimes({ text: "Hi, you.", segments, duration: 1 }, 10), {
      characters: ["H", "i", ",", " ", "y", "o", "u", "."],
      starts: [10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8],
      ends: [10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8, 11],
    });
  });

  it("cover every character once and never go back, whatever the words are", () => {
    const word = fc.record({ text: fc.string({ unit: "grapheme", maxLength: 4 }), start: time(), end: time() });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(word), time(), (text, segments, duration) => {
        const { characters, starts, ends } = characterTimes({ text, segments, duration });
        assert.equal(characters.join(""), text);
        assert.equal(starts.length, characters.length);
        for (const [index, start] of starts.entries()) {
          assert.ok(start >= (ends[index - 1] ?? 0) && (ends[index] ?? 0) >= start);
        }
      }),
    );
  });

  it("of several chunks are one list", () => {
    const parts = [
      characterTimes({ text: "a", segments: [], duration: 1 }),
      characterTimes({ text: "b", segments: [], duration: 1 }, 1),
    ];
    assert.deepEqual(joinTimes(parts), { characters: ["a", "b"], starts: [0, 1], ends: [1, 2] });
  });
});

function time() {
  return fc.double({ min: 0, max: 100, noNaN: true });
}
