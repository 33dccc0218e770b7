import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { DEFAULT_PLANS, type KeyLimits } from "@parlance/protocol";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { createKeys } from "../identity/keys.ts";
import { createReservationService } from "./reservations.ts";

const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 100_000 } };

async function setUp(context: TestContext, newDatabase: NewDatabase, nodes = 1) {
  const database = await newDatabase(context);
  const store = await database.open();
  let time = Date.parse("2026-11-29T23:00:00.000Z");
  const now = () => time;
  const userId = await insertUser(store, { plan: "free", createdAt: "2026-11-01T00:00:00.000Z" });
  const services = await Promise.all(
    // SQLite has one process, and one connection that writes.
    Array.from({ length: nodes }, async (_, index) => {
      const own = store.leases === undefined ? store : await database.open();
      return createReservationService({ store: own, plans, node: `n${index}`, now });
    }),
  );
  const keys = createKeys(store, now);
  let requests = 0;
  return {
    userId,
    keys,
    forward: (ms: number) => {
      time += ms;
    },
    async reserve(keyId: string, credits: number, limits?: KeyLimits) {
      requests += 1;
      const service = services[requests % services.length] ?? assert.fail("no service");
      const requestId = `r${requests}`;
      await service.open({ userId, requestId, operation: "tts", credits, key: { keyId, limits } });
      return (used: number) => service.close(userId, requestId, used);
    },
    spent: async (keyId: string) => (await keys.spent([keyId]))[0],
  };
}

const DAY_MS = 86_400_000;

onEachDatabase("the credits of a key", (newDatabase) => {
  it("are counted by day, month and in all, without what was not used", async (context) => {
    const { reserve, spent, forward } = await setUp(context, newDatabase);
    const close = await reserve("k", 100);
    assert.deepEqual(await spent("k"), { day: 100, month: 100, total: 100 });
    await close(60);
    assert.deepEqual(await spent("k"), { day: 60, month: 60, total: 60 });
    const late = await reserve("k", 50);
    forward(DAY_MS);
    assert.deepEqual(await spent("k"), { day: 0, month: 110, total: 110 });
    await (await reserve("k", 10))(10);
    // It was reserved yesterday: today is not changed.
    await late(0);
    assert.deepEqual(await spent("k"), { day: 10, month: 70, total: 70 });
    forward(DAY_MS);
    assert.deepEqual(await spent("k"), { day: 0, month: 0, total: 70 });
  });

  it("end in a 402 that names the key's own limit", async (context) => {
    const { reserve, forward } = await setUp(context, newDatabase);
    const limits = { credits_per_day: 100, credits_per_month: 150, credits_total: 160 };
    await (await reserve("k", 90, limits))(90);
    const refused = (message: string) => ({ code: "key_credit_limited", status: 402, message });
    await assert.rejects(
      reserve("k", 20, limits),
      refused("Over this key's own limit of 100 credits a day: this costs 20, 10 are left"),
    );
    await reserve("other", 5_000);
    forward(DAY_MS);
    await assert.rejects(
      reserve("k", 70, limits),
      refused("Over this key's own limit of 150 credits a month: this costs 70, 60 are left"),
    );
    forward(DAY_MS);
    await assert.rejects(
      reserve("k", 80, limits),
      refused("Over this key's own limit of 160 credits in all: this costs 80, 70 are left"),
    );
    // A refusal takes nothing.
    await reserve("k", 70, limits);
  });

  it("are never exceeded by concurrent requests of several nodes", async (context) => {
    const { reserve, spent } = await setUp(context, newDatabase, 3);
    const limits = { credits_total: 100 };
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => reserve("k", 10, limits)));
    const opened = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    assert.equal(opened.length, 10);
    await Promise.all(opened.map((close, index) => close(index % 2 === 0 ? 10 : 0)));
    assert.deepEqual(await spent("k"), { day: 50, month: 50, total: 50 });
  });
});
