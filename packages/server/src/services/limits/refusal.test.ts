import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { rateState } from "./rate-buckets.ts";
import { accountRefusal, draftHeaders } from "./refusal.ts";

/** An item of a list of RFC 9651: a string, and parameters that are integers or strings. */
const ITEM = /^"[\x20-\x21\x23-\x5b\x5d-\x7e]*"(;[a-z*][a-z0-9_.*-]*=(\d{1,15}|"[\x20-\x21\x23-\x5b\x5d-\x7e]*"))*$/;
/** The microseconds of a minute. */
const MINUTE = 60_000_000;

const quota = fc
  .record({
    concurrency: fc.integer({ min: 1, max: 10_000 }),
    running: fc.nat({ max: 20_000 }),
    requestsPerMinute: fc.integer({ min: 1, max: 1_000_000 }),
    missing: fc.nat({ max: MINUTE }),
  })
  .map(({ concurrency, running, requestsPerMinute, missing }) => ({
    ...{ running, rate: rateState(requestsPerMinute, missing, 0) },
    rules: { concurrency, requestsPerMinute },
  }));

const parameters = (item: string): Map<string, number> =>
  new Map([...item.matchAll(/;([a-z]+)=(\d+)/g)].map(([, name = "", value]) => [name, Number(value)]));

describe("the RateLimit header fields", () => {
  it("are lists of structured fields, with the same names in both", () => {
    fc.assert(
      fc.property(quota, fc.option(quota, { nil: undefined }), (account, key) => {
        const { ratelimit = "", "ratelimit-policy": policy = "" } = draftHeaders({ account, key });
        for (const item of [...ratelimit.split(", "), ...policy.split(", ")]) assert.match(item, ITEM);
        const names = (list: string): string[] => list.split(", ").map((item) => item.split(";", 1)[0] ?? "");
        assert.deepEqual(names(ratelimit), names(policy));
        assert.equal(new Set(names(policy)).size, key ? 4 : 2);
      }),
    );
  });

  it("never promise more requests in a time than the rate, nor a shorter wait than retry-after", () => {
    fc.assert(
      fc.property(quota, (account) => {
        const [, item = ""] = draftHeaders({ account }).ratelimit?.split(", ") ?? [];
        const { r = -1, t = -1 } = Object.fromEntries(parameters(item));
        assert.ok(r >= 0 && t >= 0 && r * 60 <= t * account.rules.requestsPerMinute, item);
        if (r > 0) return;
        const { retryAfterSeconds } = accountRefusal(account.rules, { ...account, granted: 0 });
        assert.equal(retryAfterSeconds, Math.max(1, t));
      }),
    );
  });
});
