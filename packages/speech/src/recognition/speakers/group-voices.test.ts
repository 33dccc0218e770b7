import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noise } from "../../testing/signals.ts";
import { groupVoices, type VoicesToGroup, type VoiceWindow } from "./group-voices.ts";

const SIZE = 64;

/** A vector near the axis of a person, as windows of speech have it: a cosine of about 0.5 to others of the same. */
function vectorOf(person: number, seed: number): Float32Array {
  const vector = noise(SIZE, 0.22, seed + 1);
  vector[person] = (vector[person] ?? 0) + 1;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Turns of some seconds each: windows every half second, and words of half a second. */
function conversation(turns: readonly (readonly [person: number, seconds: number])[]): VoicesToGroup & {
  readonly truth: readonly number[];
} {
  const windows: VoiceWindow[] = [];
  const words: VoicesToGroup["words"][number][] = [];
  const truth: number[] = [];
  let from = 0;
  for (const [person, seconds] of turns) {
    for (let at = 0; at + 1.5 <= seconds; at += 0.5) {
      windows.push({ from: from + at, to: from + at + 1.5, vector: vectorOf(person, windows.length) });
    }
    for (let at = 0; at < seconds; at += 0.5) {
      words.push({ start: from + at, end: from + at + 0.45, endsSentence: at + 0.5 >= seconds });
      truth.push(person);
    }
    from += seconds + 0.3;
  }
  return { windows, words, truth, count: undefined, maxCount: 32, known: [] };
}

describe("voices in a recording", () => {
  test("are found with their words, in the order of their first ones", () => {
    const { truth, ...given } = conversation([
      [2, 6],
      [0, 4],
      [2, 5],
      [1, 6],
      [0, 3],
    ]);
    const { speakers, ofWords } = groupVoices(given);
    assert.equal(speakers.length, 3);
    const order = [2, 0, 1];
    assert.deepEqual(
      ofWords,
      truth.map((person) => order.indexOf(person)),
    );
    for (const { embedding } of speakers) assert.ok(Math.abs(Math.hypot(...embedding) - 1) < 1e-5);
  });

  test("are as many as the request says, and never more than allowed", () => {
    const three = conversation([
      [0, 6],
      [1, 6],
      [2, 6],
    ]);
    assert.equal(groupVoices({ ...three, count: 2 }).speakers.length, 2);
    assert.equal(groupVoices({ ...three, count: 1 }).speakers.length, 1);
    assert.equal(groupVoices({ ...three, maxCount: 2 }).speakers.length, 2);
    assert.equal(groupVoices({ ...conversation([[0, 9]]) }).speakers.length, 1);
  });

  test("get the names of known voices, one at most for each", () => {
    const given = conversation([
      [0, 6],
      [1, 6],
    ]);
    const known = [vectorOf(5, 900), vectorOf(1, 901), vectorOf(1, 902)];
    const matches = groupVoices({ ...given, known }).speakers.map((speaker) => speaker.known);
    assert.equal(matches[0], undefined);
    assert.ok(matches[1] === 1 || matches[1] === 2);
  });

  test("need words and windows", () => {
    const given = conversation([[0, 4]]);
    assert.deepEqual(groupVoices({ ...given, words: [] }), { speakers: [], ofWords: [] });
    const short = groupVoices({ ...given, windows: [] });
    assert.deepEqual([short.speakers.length, new Set(short.ofWords)], [1, new Set([0])]);
  });
});
