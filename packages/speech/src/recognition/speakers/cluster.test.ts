import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clusterByMean, cut } from "./cluster.ts";

describe("agglomerative clustering", () => {
  test("joins the most similar first, by the mean over all pairs", () => {
    const points = [0, 1, 10, 11, 30];
    const { merges, count } = clusterByMean(points.length, (a, b) => -Math.abs((points[a] ?? 0) - (points[b] ?? 0)));
    assert.equal(count, 5);
    assert.deepEqual(
      merges.map(({ similarity }) => similarity),
      [-1, -1, -10, -24.5],
    );
    const groups = cut({ count, merges }, 2);
    assert.deepEqual([groups[0] === groups[1], groups[2] === groups[3], groups[0] === groups[2]], [true, true, false]);
    assert.equal(new Set(cut({ count, merges }, 3)).size, 2);
    assert.equal(new Set(cut({ count, merges }, 0)).size, 5);
  });

  test("ends with equal similarities, and with one item or none", () => {
    const equal = clusterByMean(50, () => 0.5);
    assert.equal(equal.merges.length, 49);
    assert.equal(new Set(cut(equal, 49)).size, 1);
    assert.deepEqual(clusterByMean(1, () => 0).merges, []);
    assert.deepEqual(clusterByMean(0, () => 0).merges, []);
  });
});
