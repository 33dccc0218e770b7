import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groupsOf } from "./groups.ts";

const RATE = 10;
/** Recordings of these seconds. */
const recordings = (...seconds: number[]) => seconds.map((each) => new Float32Array(each * RATE));
const secondsOf = (groups: ReturnType<typeof groupsOf>) => groups?.map(({ length }) => length / RATE);

describe("groups of recordings", { timeout: 10_000 }, () => {
  it("have about the same length, at most three", () => {
    assert.deepEqual(secondsOf(groupsOf(recordings(3, 9, 4, 5, 2), RATE)), [9, 7, 7]);
    assert.deepEqual(secondsOf(groupsOf(recordings(3, 9), RATE)), [9, 3]);
  });

  it("are two where a third one would be too short", () => {
    assert.deepEqual(secondsOf(groupsOf(recordings(20, 1, 19), RATE)), [20, 20]);
  });

  it("are parts of a single recording, without gaps or overlaps", () => {
    const recording = Float32Array.from({ length: 100 }, (_, i) => i);
    const groups = groupsOf([recording], RATE);
    assert.equal(groups?.length, 3);
    assert.deepEqual(
      groups?.flatMap((part) => [...part]),
      [...recording],
    );
  });

  it("are parts of all recordings where only one of them is long", () => {
    assert.deepEqual(secondsOf(groupsOf(recordings(20, 1), RATE)), [7, 7, 7]);
  });

  it("have a minute of speech at most, since the memory of speaker networks grows with it", () => {
    assert.deepEqual(secondsOf(groupsOf(recordings(120, 120, 30, 50), RATE)), [60, 60, 60]);
  });

  it("do not exist where there is too little speech", () => {
    assert.equal(groupsOf([], RATE), undefined);
    assert.equal(groupsOf(recordings(5.5), RATE), undefined);
    assert.equal(groupsOf(recordings(1, 1.5, 1), RATE), undefined);
    assert.notEqual(groupsOf(recordings(6), RATE), undefined);
  });
});
