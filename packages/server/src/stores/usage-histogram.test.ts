import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { addTo, packHistogram, quantileOf, stepOf, unpackHistogram } from "./usage-histogram.ts";

const durations = fc.array(fc.double({ min: 1, max: 1_000_000, noNaN: true }), { minLength: 1, maxLength: 200 });

function histogramOf(values: readonly number[]): Map<number, number> {
  const histogram = new Map<number, number>();
  for (const value of values) addTo(histogram, new Map([[stepOf(value), 1]]));
  return histogram;
}

describe("a histogram of durations", () => {
  it("gives quantiles to within 5 %", () => {
    fc.assert(
      fc.property(durations, fc.constantFrom(0.05, 0.5, 0.95, 1), (values, share) => {
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
        const quantile = quantileOf(histogramOf(values), share) ?? Number.NaN;
        assert.ok(quantile / exact > 0.95 && quantile / exact < 1.05, `${quantile} for ${exact}`);
      }),
    );
  });

  it("is the same packed and unpacked, added before or after", () => {
    fc.assert(
      fc.property(durations, durations, (some, others) => {
        const both = histogramOf(some);
        addTo(both, histogramOf(others));
        const packed = unpackHistogram(packHistogram(histogramOf(some)));
        addTo(packed, unpackHistogram(packHistogram(histogramOf(others))));
        assert.deepEqual(new Map([...packed].sort()), new Map([...both].sort()));
        assert.equal(packHistogram(both), packHistogram(histogramOf([...others, ...some])));
      }),
    );
  });

  it("clamps values to its range, and has no quantiles when empty", () => {
    assert.equal(stepOf(0), stepOf(1));
    assert.equal(stepOf(-5), stepOf(1));
    assert.equal(stepOf(Number.POSITIVE_INFINITY), stepOf(10 ** 9));
    assert.equal(quantileOf(unpackHistogram(""), 0.5), null);
  });

  it("stays small for any number of values", () => {
    const histogram = new Map(Array.from({ length: 161 }, (_, step) => [step, 1_000_000_000]));
    assert.ok(packHistogram(histogram).length < 2000);
  });
});
