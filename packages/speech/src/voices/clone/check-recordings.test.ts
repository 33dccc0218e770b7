import assert from "node:assert/strict";
import { it } from "node:test";
import type { RecordingAnalysis } from "./analysis.ts";
import { checkRecordings } from "./check-recordings.ts";
import { CloneError } from "./clone-error.ts";

const analysis = (change: Partial<RecordingAnalysis>): RecordingAnalysis => ({
  speechSeconds: 8,
  clipped: 0,
  vector: new Float32Array(128).fill(128 ** -0.5),
  pitch: 150,
  pitchRange: 0.4,
  halvesSimilarity: 0.7,
  speech: undefined,
  ...change,
});
const check = (change: Partial<RecordingAnalysis>) =>
  checkRecordings([analysis({}), analysis(change)], { minSeconds: 1 });

it("accepts halves as unlike as those of one person who reads single words, and refuses those of two", () => {
  assert.equal(check({ halvesSimilarity: 0.32 }).length, 2);
  assert.equal(check({ halvesSimilarity: undefined }).length, 2);
  assert.throws(
    () => check({ halvesSimilarity: 0.25 }),
    (error) => {
      assert.ok(error instanceof CloneError && error.recording === 1);
      assert.match(error.message, /several speakers.*: send recordings of one speaker only; .* shorter parts/);
      return true;
    },
  );
});
