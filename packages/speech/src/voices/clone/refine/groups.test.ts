import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groupsOf } from "./groups.ts";

const RATE = 10;
/** Recordings of these seconds. */
const recordings = (...seconds: number[]) => seconds.map((each) => new Float32Array(each * RATE));
const secondsOf = (groups: ReturnType<typeof groupsOf>) =>
  groups?.map((group) => group.map(({ length }) => length / RATE));

describe("groups of recordings", () => {
  it("have about the same length, at most three", () => {
    assert.deepEqual(secondsOf(groupsOf(recordings(3, 9, 4, 5, 2), RATE)), [[9], [5, 2], [4, 3]]);
    assert.deepEqual(secondsOf(groupsOf(recordings(3, 9), RATE)), [[9], [3]]);
  });

  it("are parts of a single recording, without gaps or overlaps", () => {
    const recording = Float32Array.from({ length: 100 }, (_, i) => i);
    const groups = groupsOf([recording], RATE);
    assert.equal(groups?.length, 3);
    assert.deepEqual(
      groups?.flatMap((group) => group.flatMap((part) => [...part])),
      [...recording],
    );
  });

  it("are parts of all recordings where one of them is too short", () => {
    assert.deepEqual(secondsOf(groupsOf(recordings(20, 1), RATE)), [[7], [7], [7]]);
  });

  it("do not exist where there is too little speech", () => {
    assert.equal(groupsOf([], RATE), undefined);
    assert.equal(groupsOf(recordings(5.5), RATE), undefined);
    assert.equal(groupsOf(recordings(1, 2, 2), RATE), undefined);
    assert.notEqual(groupsOf(recordings(6), RATE), undefined);
  });
});
