import assert from "node:assert/strict";
import { it } from "node:test";
import { DEFAULT_PLANS, type KeyLimits } from "@parlance/protocol";
import { newId } from "../../lib/ids.ts";
import type { Store } from "../../stores/store.ts";
import { onEachDatabase } from "../../testing/databases.ts";
import { createLimits } from "./limits.ts";
import { createQuotaCounter } from "./shared-quota-counter.ts";

const plans = { ...DEFAULT_PLANS, free: { concurrency: 3, requestsPerMinute: 100 } };

function nodeOf(store: Pick<Store, "leases">) {
  return createLimits({
    plans,
    counter: createQuotaCounter(store, newId(), { now: () => 1_000_000 }),
    releaseMs: 60_000,
  });
}

function caller(keyId: string, limits?: KeyLimits) {
  return { userId: "ada", plan: "free", keyId, limits } as const;
}

onEachDatabase("the own limits of a key", (newDatabase) => {
  it("apply beside those of the account, and leave other keys alone", async (context) => {
    const limits = nodeOf(await (await newDatabase(context)).open());
    context.after(() => limits.close());
    const narrow = caller("narrow", { concurrency: 1 });
    const first = await limits.acquire(narrow);
    assert.equal(first.headers["ratelimit-limit-concurrency"], "1");
    await assert.rejects(limits.acquire(narrow), {
      code: "key_concurrency_limited",
      status: 429,
      message: "Over this key's own limit of 1 requests at a time",
    });
    const others = [await limits.acquire(caller("wide")), await limits.acquire(caller("wide"))];
    assert.equal(others[1]?.headers["ratelimit-limit-concurrency"], "3");
    await assert.rejects(limits.acquire(caller("wide")), { code: "concurrency_limited" });
    await first.release();
    await (await limits.acquire(narrow)).release();
    for (const slot of others) await slot.release();
  });

  it("refuse by rate without using up the rate of the account", async (context) => {
    const limits = nodeOf(await (await newDatabase(context)).open());
    context.after(() => limits.close());
    const slow = caller("slow", { requests_per_minute: 2 });
    const second = [await limits.acquire(slow), await limits.acquire(slow)][1];
    assert.equal(second?.headers["ratelimit-limit"], "2");
    assert.equal(second?.headers["ratelimit-remaining"], "0");
    // The concurrency is that of the account: the key has no such limit.
    assert.equal(second?.headers["ratelimit-limit-concurrency"], "3");
    assert.equal(
      second?.headers["ratelimit-policy"],
      '"concurrency";q=3;qu="concurrent-requests", "rate";q=100;w=60, "key-rate";q=2;w=60',
    );
    assert.equal(second?.headers.ratelimit, '"concurrency";r=1, "rate";r=98;t=59, "key-rate";r=0;t=30');
    const headers = {
      "ratelimit-limit": "2",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "60",
      "ratelimit-policy": '"key-rate";q=2;w=60',
      ratelimit: '"key-rate";r=0;t=30',
    };
    for (let i = 0; i < 5; i += 1) {
      await assert.rejects(limits.acquire(slow), { code: "key_rate_limited", retryAfterSeconds: 30, headers });
    }
    const other = await limits.acquire(caller("other"));
    assert.equal(other.headers["ratelimit-remaining"], "97");
  });

  it("give the slot of the key back when the account refuses", async (context) => {
    const limits = nodeOf(await (await newDatabase(context)).open());
    context.after(() => limits.close());
    const slots = await Promise.all([1, 2, 3].map(() => limits.acquire(caller("wide"))));
    const narrow = caller("narrow", { concurrency: 1 });
    for (let i = 0; i < 2; i += 1) await assert.rejects(limits.acquire(narrow), { code: "concurrency_limited" });
    await Promise.all(slots.map((slot) => slot.release()));
    await limits.acquire(narrow);
  });

  it("hold for concurrent requests of several nodes", async (context) => {
    const database = await newDatabase(context);
    const store = await database.open();
    // SQLite has one process, which counts in memory.
    const nodes = store.leases === undefined ? [nodeOf(store)] : [nodeOf(store), nodeOf(await database.open())];
    for (const node of nodes) context.after(() => node.close());
    const narrow = caller("narrow", { concurrency: 2 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => nodes[index % nodes.length]?.acquire(narrow)),
    );
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 2);
  });
});
