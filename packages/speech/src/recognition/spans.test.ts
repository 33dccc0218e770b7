import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { planSpans } from "./spans.ts";
import { type Activity, findRegions } from "./speech-regions.ts";

const chunkSeconds = 0.032;

/** Alternating pauses and speech of random lengths, in chunks. */
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

test("spans contain all speech once, in order, and none is too long", () => {
  fc.assert(
    fc.property(anyActivity, fc.integer({ min: 1, max: 8 }), (activity, workers) => {
      const regions = findRegions(activity);
      const spans = planSpans(regions, activity, workers);
      const seconds = (all: readonly { from: number; to: number }[]) =>
        all.reduce((sum, { from, to }) => sum + to - from, 0);
      assert.ok(Math.abs(seconds(regions) - seconds(spans.flatMap((span) => span.regions))) < 1e-6);
      let latest = 0;
      for (const span of spans) {
        assert.ok(span.to - span.from <= 30, `${span.to - span.from} s`);
        assert.ok(span.from >= latest - 1e-9 && span.to > span.from);
        for (const { from, to } of span.regions) assert.ok(from >= span.from - 1e-9 && to <= span.to + 1e-9);
        latest = span.to;
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

test("a click, a low probability and noise of the line are not speech", () => {
  assert.deepEqual(findRegions(activityOf(5, 0.1, (t) => (t > 2 && t < 2.07 ? 0.99 : 0.01))), []);
  assert.deepEqual(findRegions(activityOf(5, 0.1, (t) => (t > 2 && t < 3 ? 0.6 : 0.01))), []);
  assert.deepEqual(findRegions(activityOf(5, 0.0005, (t) => (t > 2 && t < 3 ? 0.99 : 0.01))), []);
});

test("a short silence is part of a region, a longer one separates two", () => {
  const at = (gap: number) => (t: number) => (t > 1 && t < 4 && !(t > 2 && t < 2 + gap) ? 0.95 : 0.02);
  assert.equal(findRegions(activityOf(5, 0.1, at(0.1))).length, 1);
  assert.equal(findRegions(activityOf(5, 0.1, at(0.4))).length, 2);
});

test("a recording is split at its longest silences, with spans for every worker", () => {
  // Sentences of 4 seconds with short pauses, and a long one after every third.
  const activity = activityOf(60, 0.1, (t) => (t % 4 > 3.7 || t % 12 > 11 ? 0.02 : 0.95));
  const spans = planSpans(findRegions(activity), activity, 2);
  assert.equal(spans.length, 3);
  for (const span of spans.slice(1)) {
    assert.ok(Math.abs((span.regions[0]?.from ?? 0) % 12) < 0.1, `split at ${span.from}`);
  }
});
