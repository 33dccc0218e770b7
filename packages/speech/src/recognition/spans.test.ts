import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { planStretches } from "./spans.ts";
import { type Activity, findRegions } from "./speech-regions.ts";

const chunkSeconds = 0.032;

/** Speech of one length after a pause of another, again and again, in chunks. */
const anyActivity = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 2500 })), { minLength: 1, maxLength: 12 })
  .map((parts): Activity => {
    const probabilities = parts.flatMap(([pause, speech]) => [
      ...Array<number>(pause).fill(0.02),
      ...Array.from({ length: speech }, (_, i) => 0.8 + 0.19 * Math.sin(i)),
    ]);
    return {
      chunkSeconds,
      probabilities: Float32Array.from(probabilities),
      levels: new Float32Array(probabilities.length).fill(0.1),
    };
  });

test("stretches hold all speech, once, in order, and none is too long for a model", () => {
  fc.assert(
    fc.property(anyActivity, fc.integer({ min: 1, max: 8 }), (activity, workers) => {
      const regions = findRegions(activity);
      const stretches = planStretches(regions, activity, workers);
      const spoken = (all: readonly { from: number; to: number }[]) =>
        all.reduce((sum, { from, to }) => sum + to - from, 0);
      assert.ok(Math.abs(spoken(regions) - spoken(stretches.flatMap((stretch) => stretch.regions))) < 1e-6);
      let latest = 0;
      for (const stretch of stretches) {
        assert.ok(stretch.to - stretch.from <= 30, `${stretch.to - stretch.from} s`);
        assert.ok(stretch.from >= latest - 1e-9 && stretch.to > stretch.from);
        for (const { from, to } of stretch.regions) assert.ok(from >= stretch.from - 1e-9 && to <= stretch.to + 1e-9);
        latest = stretch.to;
      }
      assert.ok(latest <= activity.probabilities.length * chunkSeconds + 1e-9);
    }),
    { numRuns: 200 },
  );
});

function activityOf(seconds: number, level: number, probability: (second: number) => number): Activity {
  const length = Math.round(seconds / chunkSeconds);
  return {
    chunkSeconds,
    probabilities: Float32Array.from({ length }, (_, chunk) => probability(chunk * chunkSeconds)),
    levels: new Float32Array(length).fill(level),
  };
}

test("a click, a doubt and a whisper of the line are not speech", () => {
  assert.deepEqual(findRegions(activityOf(5, 0.1, (t) => (t > 2 && t < 2.07 ? 0.99 : 0.01))), []);
  assert.deepEqual(findRegions(activityOf(5, 0.1, (t) => (t > 2 && t < 3 ? 0.6 : 0.01))), []);
  assert.deepEqual(findRegions(activityOf(5, 0.0005, (t) => (t > 2 && t < 3 ? 0.99 : 0.01))), []);
});

test("a breath is part of a sentence, a pause parts two", () => {
  const at = (gap: number) => (t: number) => (t > 1 && t < 4 && !(t > 2 && t < 2 + gap) ? 0.95 : 0.02);
  assert.equal(findRegions(activityOf(5, 0.1, at(0.1))).length, 1);
  assert.equal(findRegions(activityOf(5, 0.1, at(0.4))).length, 2);
});

test("a recording is cut at its longest silences, and there is work for every worker", () => {
  // Sentences of 4 seconds with short pauses, and a long one after every third.
  const activity = activityOf(60, 0.1, (t) => (t % 4 > 3.7 || t % 12 > 11 ? 0.02 : 0.95));
  const stretches = planStretches(findRegions(activity), activity, 2);
  assert.equal(stretches.length, 3);
  for (const stretch of stretches.slice(1)) {
    assert.ok(Math.abs((stretch.regions[0]?.from ?? 0) % 12) < 0.1, `cut at ${stretch.from}`);
  }
});
