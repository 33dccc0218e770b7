import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAudio, formatDuration } from "./format-duration.ts";

test("durations have as many digits as are needed to compare them", () => {
  const expected = new Map([
    [0, "0 ms"],
    [0.423, "0.42 ms"],
    [8.12, "8.1 ms"],
    [420.4, "420 ms"],
    [1240, "1.24 s"],
    [75_400, "75 s"],
  ]);
  for (const [ms, text] of expected) assert.equal(formatDuration(ms), text);
});

test("audio of a minute or more is shown as a clock", () => {
  assert.deepEqual([0.72, 59.94, 75].map(formatAudio), ["0.7 s", "59.9 s", "1:15"]);
});
