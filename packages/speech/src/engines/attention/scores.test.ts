import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noise } from "../../testing/signals.ts";
import { logProbability } from "./scores.ts";

/** As it is defined. */
function expected(scores: Float32Array, index: number): number {
  const max = Math.max(...scores);
  return (scores[index] ?? 0) - max - Math.log(scores.reduce((sum, score) => sum + Math.exp(score - max), 0));
}

describe("the log probability of a token", () => {
  it("equals its definition, for scores close together and far apart", () => {
    for (const range of [0, 0.001, 1, 20, 90, 500]) {
      const scores = noise(5_000, 1, 3).map((value) => range * value - 7);
      const exact = expected(scores, 17);
      const found = logProbability(scores, 17);
      assert.ok(
        Math.abs(found - exact) < 1e-10 * Math.max(1, Math.abs(exact)),
        `range ${range}: ${found}, not ${exact}`,
      );
    }
  });

  it("does not count suppressed tokens", () => {
    const scores = Float32Array.of(1, Number.NEGATIVE_INFINITY, 1, Number.NEGATIVE_INFINITY);
    assert.ok(Math.abs(logProbability(scores, 0) - Math.log(0.5)) < 1e-12);
    assert.equal(logProbability(scores, 1), Number.NEGATIVE_INFINITY);
  });
});
