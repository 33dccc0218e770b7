import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ApiError, DEFAULT_PLANS, type PlanName } from "@parlance/protocol";
import fc from "fast-check";
import { newId } from "../../lib/ids.ts";
import type { LeaseStore } from "../../stores/leases.ts";
import type { Store } from "../../stores/store.ts";
import { type NewDatabase, onEachDatabase, onPostgres } from "../../testing/databases.ts";
import { until } from "../../testing/until.ts";
import { createLimits, type Limits, type Slot } from "./limits.ts";
import { createLocalQuotaCounter, type LimitRules } from "./quota-counter.ts";
import { createQuotaCounter, type SharedQuotaCounterOptions } from "./shared-quota-counter.ts";

interface NodeOptions extends SharedQuotaCounterOptions {
  readonly waitMs?: number;
  readonly rules?: Partial<LimitRules>;
}

function plansOf(rules: Partial<LimitRules>) {
  const free = { concurrency: 1000, requestsPerMinute: 0, ...rules };
  return { ...DEFAULT_PLANS, free };
}

function nodeOf(context: TestContext, store: Pick<Store, "leases">, options: NodeOptions): Limits {
  const counter = createQuotaCounter(store, newId(), options);
  const limits = createLimits({
    plans: plansOf(options.rules ?? {}),
    counter,
    waitMs: options.waitMs ?? 0,
    // The tests check what other nodes see, however long a release takes.
    releaseMs: 60_000,
  });
  context.after(() => limits.close());
  return limits;
}

async function setUp(context: TestContext, newDatabase: NewDatabase, options: NodeOptions = {}): Promise<Limits> {
  return nodeOf(context, await (await newDatabase(context)).open(), options);
}

const ada = caller("ada");
const bob = caller("bob");

function caller(userId: string, plan: PlanName = "free") {
  return { userId, plan };
}

const concurrencyLimited = { code: "concurrency_limited", status: 429, retryAfterSeconds: 1 };

onEachDatabase("limits", (newDatabase) => {
  it("count each account separately, and all its keys together", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 } });
    const slot = await limits.acquire(ada);
    await limits.acquire(bob);
    await assert.rejects(limits.acquire(ada), concurrencyLimited);
    await slot.release();
    await limits.acquire(ada);
  });

  it("never run more requests than allowed, and free a slot only once however often it is released", async (context) => {
    const store = await (await newDatabase(context)).open();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 20 }), { maxLength: 40 }), async (steps) => {
        const limits = nodeOf(context, store, { rules: { concurrency: 3 } });
        const account = caller(newId());
        const slots: Slot[] = [];
        const held = new Set<Slot>();
        for (const step of steps) {
          const old = slots[step];
          if (old !== undefined) {
            await old.release();
            held.delete(old);
          } else if (held.size < 3) {
            const slot = await limits.acquire(account);
            slots.push(slot);
            held.add(slot);
            assert.equal(slot.current, held.size);
            assert.equal(slot.headers["ratelimit-current-concurrency"], String(held.size));
          } else {
            await assert.rejects(limits.acquire(account), ApiError);
          }
        }
        for (const slot of slots) await slot.release();
      }),
      { numRuns: 30 },
    );
  });

  it("admit as many simultaneous requests as there are slots", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 5 } });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => limits.acquire(ada)));
    const slots = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    assert.deepEqual(
      slots.map((slot) => slot.current),
      [1, 2, 3, 4, 5],
    );
    await Promise.all(slots.map((slot) => slot.release()));
    assert.equal((await limits.acquire(ada)).current, 1);
  });

  it("allow as many requests in a minute as configured, then answer when the next one may start", async (context) => {
    let time = Date.UTC(2026, 0, 1);
    const limits = await setUp(context, newDatabase, { rules: { requestsPerMinute: 30 }, now: () => time });
    const acquire = async (): Promise<Slot> => {
      const slot = await limits.acquire(ada);
      await slot.release();
      return slot;
    };
    const first = await acquire();
    assert.equal(first.headers["ratelimit-limit"], "30");
    assert.equal(first.headers["ratelimit-remaining"], "29");
    assert.equal(first.headers["ratelimit-reset"], "2");
    assert.equal(first.headers["ratelimit-policy"], '"concurrency";q=1000;qu="concurrent-requests", "rate";q=30;w=60');
    assert.equal(first.headers.ratelimit, '"concurrency";r=999, "rate";r=29;t=58');
    for (let i = 0; i < 29; i += 1) await acquire();
    await assert.rejects(acquire(), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, "rate_limited");
      assert.equal(error.retryAfterSeconds, 2);
      assert.equal(error.headers["ratelimit-remaining"], "0");
      assert.equal(error.headers["ratelimit-reset"], "60");
      assert.equal(error.headers["ratelimit-limit-concurrency"], "1000");
      return true;
    });
    time += 1999;
    await assert.rejects(acquire(), { code: "rate_limited", retryAfterSeconds: 1 });
    time += 1;
    await acquire();
    await assert.rejects(acquire(), { code: "rate_limited" });
    time += 3_600_000;
    for (let i = 0; i < 30; i += 1) await acquire();
    await assert.rejects(acquire(), { code: "rate_limited" });
  });

  it("do not count requests that were refused for concurrency against the rate", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1, requestsPerMinute: 2 } });
    const slot = await limits.acquire(ada);
    for (let i = 0; i < 5; i += 1) await assert.rejects(limits.acquire(ada), concurrencyLimited);
    await slot.release();
    await limits.acquire(ada);
  });

  it("apply a changed plan from the next request on", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 } });
    const slots = [await limits.acquire(ada)];
    await assert.rejects(limits.acquire(ada), concurrencyLimited);
    for (let i = 1; i < 10; i += 1) slots.push(await limits.acquire(caller("ada", "plus")));
    await assert.rejects(limits.acquire(caller("ada", "plus")), concurrencyLimited);
    await assert.rejects(limits.acquire(ada), concurrencyLimited);
    for (const slot of slots) await slot.release();
    assert.equal((await limits.acquire(ada)).limit, 1);
  });

  it("give free slots to waiting requests in order of arrival", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 2 }, waitMs: 60_000 });
    const running = [await limits.acquire(ada), await limits.acquire(ada)];
    const order: number[] = [];
    const waiting = Array.from({ length: 20 }, async (_, index) => {
      const slot = await limits.acquire(ada);
      order.push(index);
      running.push(slot);
    });
    for (let next = running.shift(); next !== undefined; next = running.shift()) {
      await next.release();
      const due = Math.min(20, order.length + 1);
      await until(() => running.length > 0 || order.length >= due || order.length === 20);
    }
    await Promise.all(waiting);
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  it("refuse a request that has waited for the configured time", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 }, waitMs: 20 });
    await limits.acquire(ada);
    await assert.rejects(limits.acquire(ada), concurrencyLimited);
  });

  it("start a waiting request when the rate allows it", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { requestsPerMinute: 600 }, waitMs: 60_000 });
    const slots = await Promise.all(Array.from({ length: 603 }, () => limits.acquire(ada)));
    assert.equal(slots.length, 603);
  });

  it("drop a waiting request whose client disconnects, and give the slot to the next", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 }, waitMs: 60_000 });
    const slot = await limits.acquire(ada);
    const controller = new AbortController();
    const leaving = limits.acquire(ada, controller.signal);
    const staying = limits.acquire(ada);
    controller.abort(new Error("hung up"));
    await assert.rejects(leaving, /hung up/);
    await slot.release();
    const next = await staying;
    await next.release();
    await assert.rejects(limits.acquire(ada, controller.signal), /hung up/);
    assert.equal((await limits.acquire(ada)).current, 1);
  });

  it("lose no slot when clients disconnect at any moment", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 3 }, waitMs: 60_000 });
    const attempts = Array.from({ length: 60 }, async (_, index) => {
      const controller = new AbortController();
      const acquiring = limits.acquire(ada, controller.signal).then(
        async (slot) => {
          await turn();
          await slot.release();
        },
        () => {},
      );
      for (let step = 0; step < index % 7; step += 1) await turn();
      if (index % 2 === 0) controller.abort(new Error("hung up"));
      await acquiring;
    });
    await Promise.all(attempts);
    const slots = await Promise.all([limits.acquire(ada), limits.acquire(ada), limits.acquire(ada)]);
    assert.deepEqual(
      slots.map((slot) => slot.current),
      [1, 2, 3],
    );
  });

  it("bound the number of waiting requests", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 }, waitMs: 60_000 });
    await limits.acquire(ada);
    const controller = new AbortController();
    const waiting = Promise.allSettled(Array.from({ length: 101 }, () => limits.acquire(ada, controller.signal)));
    await assert.rejects(limits.acquire(ada), concurrencyLimited);
    controller.abort();
    await waiting;
  });

  it("refuse waiting requests when the server stops", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 }, waitMs: 60_000 });
    const slot = await limits.acquire(ada);
    const waiting = limits.acquire(ada);
    const refused = assert.rejects(waiting, { code: "draining" });
    await limits.close();
    await refused;
    await assert.rejects(limits.acquire(bob), { code: "draining" });
    await slot.release();
  });
});

onPostgres("limits across nodes", (newDatabase) => {
  async function nodes(context: TestContext, count: number, options: NodeOptions): Promise<readonly Limits[]> {
    const database = await newDatabase(context);
    return Promise.all(Array.from({ length: count }, async () => nodeOf(context, await database.open(), options)));
  }

  it("hold for all nodes together, and a slot freed on one is free on the other", async (context) => {
    const now = () => Date.UTC(2026, 0, 1);
    const [one, other] = await nodes(context, 2, { rules: { concurrency: 2, requestsPerMinute: 3 }, now });
    assert.ok(one && other);
    const first = await one.acquire(ada);
    assert.equal((await other.acquire(ada)).current, 2);
    await assert.rejects(one.acquire(ada), concurrencyLimited);
    await assert.rejects(other.acquire(ada), concurrencyLimited);
    await first.release();
    assert.equal((await other.acquire(ada)).headers["ratelimit-remaining"], "0");
    await assert.rejects(one.acquire(ada), { code: "rate_limited" });
  });

  it("never run more requests than allowed when several nodes are used at once", async (context) => {
    const all = await nodes(context, 4, { rules: { concurrency: 7 } });
    for (let round = 0; round < 10; round += 1) {
      const acquiring = Array.from({ length: 50 }, (_, index) => all[index % all.length]?.acquire(ada));
      const outcomes = await Promise.allSettled(acquiring);
      const slots = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      assert.equal(slots.length, 7);
      await Promise.all(slots.map((slot) => slot?.release()));
    }
  });

  it("never start more requests in a minute than allowed when several nodes are used at once", async (context) => {
    const time = Date.UTC(2026, 0, 1);
    const all = await nodes(context, 4, { rules: { requestsPerMinute: 20 }, now: () => time });
    const acquiring = Array.from({ length: 50 }, (_, index) => all[index % all.length]?.acquire(ada));
    const outcomes = await Promise.allSettled(acquiring);
    assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 20);
  });

  it("give a slot freed on one node to a request that waits on another", async (context) => {
    const [one, other] = await nodes(context, 2, { rules: { concurrency: 1 }, waitMs: 60_000 });
    const slot = await one?.acquire(ada);
    const waiting = other?.acquire(ada);
    await slot?.release();
    assert.equal((await waiting)?.current, 1);
  });

  it("stop counting the requests of an expired node, but not those of a live one", async (context) => {
    const database = await newDatabase(context);
    let time = Date.UTC(2026, 0, 1);
    const options = { rules: { concurrency: 2 }, leaseMs: 30_000, now: () => time };
    const open = async () => nodeOf(context, await database.open(), options);
    const [expired, live] = [await open(), await open()];
    await expired.acquire(ada);
    await live.acquire(ada);
    await assert.rejects(live.acquire(ada), concurrencyLimited);
    await expired.close();
    time += 29_000;
    await assert.rejects(live.acquire(ada), concurrencyLimited);
    time += 2_000;
    assert.equal((await live.acquire(ada)).current, 2);
    await assert.rejects(live.acquire(ada), concurrencyLimited);
  });

  it("do not stop requests when the clock of the database is set back", async (context) => {
    const database = await newDatabase(context);
    let time = Date.UTC(2026, 0, 1);
    const options = { rules: { concurrency: 2, requestsPerMinute: 4 }, leaseMs: 30_000, now: () => time };
    const open = async () => nodeOf(context, await database.open(), options);
    const [expired, live] = [await open(), await open()];
    await expired.acquire(ada);
    for (let i = 0; i < 2; i += 1) await (await live.acquire(ada)).release();
    await expired.close();
    time -= 24 * 3_600_000;
    for (let i = 0; i < 4; i += 1) await (await live.acquire(ada)).release();
    await assert.rejects(live.acquire(ada), { code: "rate_limited", retryAfterSeconds: 15 });
  });

  it("keep counting the requests of a node whose count does not change", async (context) => {
    const database = await newDatabase(context);
    let time = Date.UTC(2026, 0, 1);
    const options = { rules: { concurrency: 1 }, leaseMs: 300, now: () => time };
    const { leases } = await database.open();
    assert.ok(leases);
    let reportedAt: number | undefined;
    const watched: LeaseStore = {
      async claim(claim) {
        const grant = await leases.claim(claim);
        reportedAt = claim.now;
        return grant;
      },
    };
    const one = nodeOf(context, { leases: watched }, options);
    const other = nodeOf(context, await database.open(), options);
    await one.acquire(ada);
    for (let turn = 0; turn < 4; turn += 1) {
      time += 200;
      await until(() => reportedAt === time * 1000);
    }
    await assert.rejects(other.acquire(ada), concurrencyLimited);
  });
});

describe("limits with an unreachable counter", () => {
  function fragile() {
    const local = createLocalQuotaCounter();
    const state = { broken: false, recorded: 0 };
    const counter = {
      leaseMs: 60_000,
      async claim(claim: Parameters<typeof local.claim>[0]) {
        await turn();
        if (state.broken) throw new Error("connection refused");
        const grant = await local.claim(claim);
        state.recorded = claim.held + grant.granted;
        return grant;
      },
    };
    return { state, limits: createLimits({ plans: plansOf({ concurrency: 1 }), counter }) };
  }

  it("refuse requests with 503, and admit them when it is back", async (context) => {
    const { state, limits } = fragile();
    context.after(() => limits.close());
    state.broken = true;
    await assert.rejects(limits.acquire(ada), { code: "unavailable", status: 503, retryAfterSeconds: 1 });
    state.broken = false;
    assert.equal((await limits.acquire(ada)).current, 1);
  });

  it("free a slot as soon as the counter is back", async (context) => {
    const { state, limits } = fragile();
    context.after(() => limits.close());
    const slot = await limits.acquire(ada);
    state.broken = true;
    await slot.release();
    assert.equal(state.recorded, 1);
    state.broken = false;
    // The retry timer does not keep the process alive; the polling does.
    await until(() => state.recorded === 0);
  });
});
