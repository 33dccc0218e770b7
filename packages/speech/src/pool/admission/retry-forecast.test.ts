import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createRetryForecast } from "./retry-forecast.ts";
import { hasCapacity, needsAfter, type StreamNeed } from "./schedulability.ts";

const guarantee = { capacity: 0.7, lead: 2, within: 2 };
const maxSeconds = 60;
const running: StreamNeed[] = Array(10).fill({ share: 0.07, ahead: 0, left: 20 });
const candidate: StreamNeed = { share: 0.07, ahead: 0, left: 10 };
const need = (least: number) =>
  fc.record({
    share: fc.double({ min: least, max: 0.6, noNaN: true }),
    ahead: fc.double({ min: 0, max: 3, noNaN: true }),
    left: fc.double({ min: 1, max: 30, noNaN: true }),
  });

function open() {
  const clock = { ms: 0 };
  return { clock, forecast: createRetryForecast({ guarantee, maxSeconds, now: () => clock.ms }) };
}

/** The same, computed from the start for each request. */
function simulate(all: readonly StreamNeed[], one: StreamNeed, expected: ReadonlyMap<number, StreamNeed[]>): number {
  let needs = all;
  for (let second = 1; second < maxSeconds; second++) {
    const left = needsAfter(needs, 1, 1).filter((each) => each.left > 0);
    needs = [...left, ...(expected.get(second) ?? [])];
    if (needs.length === 0 || hasCapacity([...needs, one], guarantee)) return second;
  }
  return maxSeconds;
}

describe("the retry time", () => {
  it("is the same as if it was computed from the start for each request", () => {
    const candidates = fc.array(
      need(0.05).map((one) => ({ ...one, ahead: 0 })),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(fc.array(need(0.2), { minLength: 4, maxLength: 12 }), candidates, (all, ones) => {
        const { forecast } = open();
        const expected = new Map<number, StreamNeed[]>();
        for (const one of ones) {
          const seconds = simulate(all, one, expected);
          assert.equal(forecast.next(all, one), seconds);
          expected.set(seconds, [...(expected.get(seconds) ?? []), one]);
        }
      }),
    );
  });

  it("increases with each refusal, so that not all retry at once", () => {
    const { forecast } = open();
    const forecasts = Array.from({ length: 12 }, () => forecast.next(running, candidate));
    assert.ok(
      forecasts.every((seconds, index) => index === 0 || seconds >= (forecasts[index - 1] ?? 0)),
      forecasts.join(),
    );
    assert.ok((forecasts.at(-1) ?? 0) > (forecasts[0] ?? 0), forecasts.join());
  });

  it("follows the streams, and drops requests whose time has passed", () => {
    const { forecast, clock } = open();
    const first = forecast.next(running, candidate);
    for (let count = 0; count < 40; count++) forecast.next(running, candidate);
    assert.ok(forecast.next(running, candidate) > first);
    clock.ms += 1000 * maxSeconds;
    assert.equal(forecast.next(running, candidate), first);
    clock.ms += 1000 * maxSeconds;
    assert.equal(forecast.next([], candidate), 1);
  });

  it("is from one second to the maximum", () => {
    const endless = { share: 1, ahead: 0, left: 10_000 };
    assert.equal(open().forecast.next([endless], candidate), maxSeconds);
    assert.equal(open().forecast.next([], candidate), 1);
  });

  it("tracks a bounded number of requests", () => {
    const { forecast } = open();
    const small = { share: 0.0001, ahead: 0, left: 1 };
    const forecasts = Array.from({ length: 600 }, () => forecast.next(running, small));
    // Each of the later ones finds what the first of them has found.
    assert.equal(new Set(forecasts.slice(512)).size, 1);
  });
});
