import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ApiError, DEFAULT_PLANS, type PlanName } from "@parlance/protocol";
import fc from "fast-check";
import type { LeaseStore } from "../../stores/leases.ts";
import type { Store } from "../../stores/store.ts";
import { type NewDatabase, onEachDatabase, onPostgres } from "../../testing/databases.ts";
import { until } from "../../testing/until.ts";
import { newId } from "../identity/keys.ts";
import { createLimits, type Limits, type Place } from "./limits.ts";
import { createLocalBook, type LimitRules } from "./quota-counter.ts";
import { createLimitsBook, type SharedBookOptions } from "./shared-quota-counter.ts";

interface NodeOptions extends SharedBookOptions {
  readonly waitMs?: number;
  readonly rules?: Partial<LimitRules>;
}

function plansOf(rules: Partial<LimitRules>) {
  const free = { concurrency: 1000, requestsPerMinute: 0, ...rules };
  return { ...DEFAULT_PLANS, free };
}

function nodeOf(context: TestContext, store: Pick<Store, "leases">, options: NodeOptions): Limits {
  const book = createLimitsBook(store, newId(), options);
  const limits = createLimits({
    plans: plansOf(options.rules ?? {}),
    book,
    waitMs: options.waitMs ?? 0,
    // What other nodes find is tested here, however long it takes to tell them.
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
  it("count each account on its own, and its keys together", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 } });
    const place = await limits.enter(ada);
    await limits.enter(bob);
    await assert.rejects(limits.enter(ada), concurrencyLimited);
    await place.release();
    await limits.enter(ada);
  });

  it("never let more run than allowed, and a place is given back once however often it is released", async (context) => {
    const store = await (await newDatabase(context)).open();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 20 }), { maxLength: 40 }), async (steps) => {
        const limits = nodeOf(context, store, { rules: { concurrency: 3 } });
        const account = caller(newId());
        const places: Place[] = [];
        const held = new Set<Place>();
        for (const step of steps) {
          const old = places[step];
          if (old !== undefined) {
            await old.release();
            held.delete(old);
          } else if (held.size < 3) {
            const place = await limits.enter(account);
            places.push(place);
            held.add(place);
            assert.equal(place.current, held.size);
            assert.equal(place.headers["ratelimit-current-concurrency"], String(held.size));
          } else {
            await assert.rejects(limits.enter(account), ApiError);
          }
        }
        for (const place of places) await place.release();
      }),
      { numRuns: 30 },
    );
  });

  it("let as many of those that come at once in as there are places", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 5 } });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => limits.enter(ada)));
    const places = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    assert.deepEqual(
      places.map((place) => place.current),
      [1, 2, 3, 4, 5],
    );
    await Promise.all(places.map((place) => place.release()));
    assert.equal((await limits.enter(ada)).current, 1);
  });

  it("let an account start as many in a minute as allowed, and say when the next one may", async (context) => {
    let time = Date.UTC(2026, 0, 1);
    const limits = await setUp(context, newDatabase, { rules: { requestsPerMinute: 30 }, now: () => time });
    const enter = async (): Promise<Place> => {
      const place = await limits.enter(ada);
      await place.release();
      return place;
    };
    const first = await enter();
    assert.equal(first.headers["ratelimit-limit"], "30");
    assert.equal(first.headers["ratelimit-remaining"], "29");
    assert.equal(first.headers["ratelimit-reset"], "2");
    for (let i = 0; i < 29; i += 1) await enter();
    await assert.rejects(enter(), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, "rate_limited");
      assert.equal(error.retryAfterSeconds, 2);
      assert.equal(error.headers["ratelimit-remaining"], "0");
      assert.equal(error.headers["ratelimit-reset"], "60");
      assert.equal(error.headers["ratelimit-limit-concurrency"], "1000");
      return true;
    });
    time += 1999;
    await assert.rejects(enter(), { code: "rate_limited", retryAfterSeconds: 1 });
    time += 1;
    await enter();
    await assert.rejects(enter(), { code: "rate_limited" });
    time += 3_600_000;
    for (let i = 0; i < 30; i += 1) await enter();
    await assert.rejects(enter(), { code: "rate_limited" });
  });

  it("do not count what was refused for want of a place in the minute", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1, requestsPerMinute: 2 } });
    const place = await limits.enter(ada);
    for (let i = 0; i < 5; i += 1) await assert.rejects(limits.enter(ada), concurrencyLimited);
    await place.release();
    await limits.enter(ada);
  });

  it("follow the plan from the next request on", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 } });
    const places = [await limits.enter(ada)];
    await assert.rejects(limits.enter(ada), concurrencyLimited);
    for (let i = 1; i < 10; i += 1) places.push(await limits.enter(caller("ada", "plus")));
    await assert.rejects(limits.enter(caller("ada", "plus")), concurrencyLimited);
    await assert.rejects(limits.enter(ada), concurrencyLimited);
    for (const place of places) await place.release();
    assert.equal((await limits.enter(ada)).limit, 1);
  });

  it("hand places over to those who wait, first come first served", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 2 }, waitMs: 60_000 });
    const running = [await limits.enter(ada), await limits.enter(ada)];
    const order: number[] = [];
    const waiting = Array.from({ length: 20 }, async (_, index) => {
      const place = await limits.enter(ada);
      order.push(index);
      running.push(place);
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

  it("refuse who has waited long enough", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 }, waitMs: 20 });
    await limits.enter(ada);
    await assert.rejects(limits.enter(ada), concurrencyLimited);
  });

  it("let who waits start when the minute allows it", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { requestsPerMinute: 600 }, waitMs: 60_000 });
    const places = await Promise.all(Array.from({ length: 603 }, () => limits.enter(ada)));
    assert.equal(places.length, 603);
  });

  it("forget who goes away while waiting, and give the place to the next", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 }, waitMs: 60_000 });
    const place = await limits.enter(ada);
    const controller = new AbortController();
    const leaving = limits.enter(ada, controller.signal);
    const staying = limits.enter(ada);
    controller.abort(new Error("hung up"));
    await assert.rejects(leaving, /hung up/);
    await place.release();
    const next = await staying;
    await next.release();
    await assert.rejects(limits.enter(ada, controller.signal), /hung up/);
    assert.equal((await limits.enter(ada)).current, 1);
  });

  it("lose no place to callers who go away at any moment", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 3 }, waitMs: 60_000 });
    const attempts = Array.from({ length: 60 }, async (_, index) => {
      const controller = new AbortController();
      const entering = limits.enter(ada, controller.signal).then(
        async (place) => {
          await turn();
          await place.release();
        },
        () => {},
      );
      for (let step = 0; step < index % 7; step += 1) await turn();
      if (index % 2 === 0) controller.abort(new Error("hung up"));
      await entering;
    });
    await Promise.all(attempts);
    const places = await Promise.all([limits.enter(ada), limits.enter(ada), limits.enter(ada)]);
    assert.deepEqual(
      places.map((place) => place.current),
      [1, 2, 3],
    );
  });

  it("let only so many wait", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 }, waitMs: 60_000 });
    await limits.enter(ada);
    const controller = new AbortController();
    const waiting = Promise.allSettled(Array.from({ length: 101 }, () => limits.enter(ada, controller.signal)));
    await assert.rejects(limits.enter(ada), concurrencyLimited);
    controller.abort();
    await waiting;
  });

  it("send those who wait away when the server stops", async (context) => {
    const limits = await setUp(context, newDatabase, { rules: { concurrency: 1 }, waitMs: 60_000 });
    const place = await limits.enter(ada);
    const waiting = limits.enter(ada);
    const refused = assert.rejects(waiting, { code: "draining" });
    await limits.close();
    await refused;
    await assert.rejects(limits.enter(bob), { code: "draining" });
    await place.release();
  });
});

onPostgres("limits over several nodes", (newDatabase) => {
  async function nodes(context: TestContext, count: number, options: NodeOptions): Promise<readonly Limits[]> {
    const database = await newDatabase(context);
    return Promise.all(Array.from({ length: count }, async () => nodeOf(context, await database.open(), options)));
  }

  it("hold for all nodes together, and a place given back on one is free on the other", async (context) => {
    const now = () => Date.UTC(2026, 0, 1);
    const [one, other] = await nodes(context, 2, { rules: { concurrency: 2, requestsPerMinute: 3 }, now });
    assert.ok(one && other);
    const first = await one.enter(ada);
    assert.equal((await other.enter(ada)).current, 2);
    await assert.rejects(one.enter(ada), concurrencyLimited);
    await assert.rejects(other.enter(ada), concurrencyLimited);
    await first.release();
    assert.equal((await other.enter(ada)).headers["ratelimit-remaining"], "0");
    await assert.rejects(one.enter(ada), { code: "rate_limited" });
  });

  it("never let more run than allowed, however many nodes are asked at once", async (context) => {
    const all = await nodes(context, 4, { rules: { concurrency: 7 } });
    for (let round = 0; round < 10; round += 1) {
      const entering = Array.from({ length: 50 }, (_, index) => all[index % all.length]?.enter(ada));
      const outcomes = await Promise.allSettled(entering);
      const places = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      assert.equal(places.length, 7);
      await Promise.all(places.map((place) => place?.release()));
    }
  });

  it("never start more in a minute than allowed, however many nodes are asked at once", async (context) => {
    const time = Date.UTC(2026, 0, 1);
    const all = await nodes(context, 4, { rules: { requestsPerMinute: 20 }, now: () => time });
    const entering = Array.from({ length: 50 }, (_, index) => all[index % all.length]?.enter(ada));
    const outcomes = await Promise.allSettled(entering);
    assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 20);
  });

  it("give a place that came free on one node to who waits on another", async (context) => {
    const [one, other] = await nodes(context, 2, { rules: { concurrency: 1 }, waitMs: 60_000 });
    const place = await one?.enter(ada);
    const waiting = other?.enter(ada);
    await place?.release();
    assert.equal((await waiting)?.current, 1);
  });

  it("forget the requests of a node that died, and not those of one that lives", async (context) => {
    const database = await newDatabase(context);
    let time = Date.UTC(2026, 0, 1);
    const options = { rules: { concurrency: 2 }, leaseMs: 30_000, now: () => time };
    const open = async () => nodeOf(context, await database.open(), options);
    const [dying, living] = [await open(), await open()];
    await dying.enter(ada);
    await living.enter(ada);
    await assert.rejects(living.enter(ada), concurrencyLimited);
    await dying.close();
    time += 29_000;
    await assert.rejects(living.enter(ada), concurrencyLimited);
    time += 2_000;
    assert.equal((await living.enter(ada)).current, 2);
    await assert.rejects(living.enter(ada), concurrencyLimited);
  });

  it("remember the requests of a node that says nothing new for long", async (context) => {
    const database = await newDatabase(context);
    let time = Date.UTC(2026, 0, 1);
    const options = { rules: { concurrency: 1 }, leaseMs: 300, now: () => time };
    const { leases } = await database.open();
    assert.ok(leases);
    let saidAt: number | undefined;
    const watched: LeaseStore = {
      async claim(claim) {
        const grant = await leases.claim(claim);
        saidAt = claim.now;
        return grant;
      },
    };
    const one = nodeOf(context, { leases: watched }, options);
    const other = nodeOf(context, await database.open(), options);
    await one.enter(ada);
    for (let turn = 0; turn < 4; turn += 1) {
      time += 200;
      await until(() => saidAt === time * 1000);
    }
    await assert.rejects(other.enter(ada), concurrencyLimited);
  });
});

describe("limits whose book cannot be reached", () => {
  function fragile() {
    const local = createLocalBook();
    const state = { broken: false, told: 0 };
    const book = {
      leaseMs: 60_000,
      async claim(claim: Parameters<typeof local.claim>[0]) {
        await turn();
        if (state.broken) throw new Error("connection refused");
        const grant = await local.claim(claim);
        state.told = claim.held + grant.granted;
        return grant;
      },
    };
    return { state, limits: createLimits({ plans: plansOf({ concurrency: 1 }), book }) };
  }

  it("let nobody in, and go on when it is back", async (context) => {
    const { state, limits } = fragile();
    context.after(() => limits.close());
    state.broken = true;
    await assert.rejects(limits.enter(ada), { code: "unavailable", status: 503, retryAfterSeconds: 1 });
    state.broken = false;
    assert.equal((await limits.enter(ada)).current, 1);
  });

  it("give a place back as soon as it is there again", async (context) => {
    const { state, limits } = fragile();
    context.after(() => limits.close());
    const place = await limits.enter(ada);
    state.broken = true;
    await place.release();
    assert.equal(state.told, 1);
    state.broken = false;
    // The wait for the next attempt must not keep the process alive, so something else has to.
    await until(() => state.told === 0);
  });
});
