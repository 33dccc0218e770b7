import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "@parlance/protocol";
import fc from "fast-check";
import { createLimits, type Place } from "./limits.ts";

describe("limits", () => {
  it("count each account on its own", () => {
    const limits = createLimits({ concurrency: 1, requestsPerMinute: 0 });
    limits.enter("ada");
    limits.enter("bob");
    assert.throws(() => limits.enter("ada"), { code: "concurrency_limited", retryAfterSeconds: 1 });
  });

  it("never let more run than allowed, and a place is given back once however often it is released", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 })), (steps) => {
        const limits = createLimits({ concurrency: 3, requestsPerMinute: 0 });
        const places: Place[] = [];
        const held = new Set<Place>();
        for (const step of steps) {
          const old = places[step];
          if (old !== undefined) {
            old.release();
            held.delete(old);
          } else if (held.size < 3) {
            const place = limits.enter("ada");
            places.push(place);
            held.add(place);
            assert.equal(place.current, held.size);
          } else {
            assert.throws(() => limits.enter("ada"), ApiError);
          }
        }
      }),
    );
  });

  it("let an account start as many in a minute as allowed, and say when the next one may", () => {
    let time = 0;
    const limits = createLimits({ concurrency: 100, requestsPerMinute: 30 }, () => time);
    for (let i = 0; i < 30; i += 1) limits.enter("ada").release();
    assert.throws(() => limits.enter("ada"), { code: "rate_limited", retryAfterSeconds: 2 });
    time += 1999;
    assert.throws(() => limits.enter("ada"), { code: "rate_limited", retryAfterSeconds: 1 });
    time += 1;
    limits.enter("ada").release();
    assert.throws(() => limits.enter("ada"), { code: "rate_limited" });
    time += 3_600_000;
    for (let i = 0; i < 30; i += 1) limits.enter("ada").release();
    assert.throws(() => limits.enter("ada"), { code: "rate_limited" });
  });

  it("forget accounts at rest, but none that has something running or used up", () => {
    let time = 0;
    const limits = createLimits({ concurrency: 1, requestsPerMinute: 1 }, () => time);
    limits.enter("running");
    time += 60_000;
    for (let i = 0; i < 9_998; i += 1) limits.enter(`resting-${i}`).release();
    time += 60_000;
    limits.enter("spent").release();
    limits.enter("one more").release();
    assert.throws(() => limits.enter("running"), { code: "concurrency_limited" });
    assert.throws(() => limits.enter("spent"), { code: "rate_limited" });
    limits.enter("resting-0").release();
  });
});
