import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { ApiError, DEFAULT_PLANS, type Plans } from "@parlance/protocol";
import type { Store } from "../../stores/store.ts";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { assertBalanced, insertUser } from "../../testing/wallet-user.ts";
import { createReservationService } from "./reservations.ts";
import { createWalletService, NO_SUBSCRIPTION, type SubscriptionChange } from "./wallet.ts";

const plans: Plans = {
  ...DEFAULT_PLANS,
  free: { ...DEFAULT_PLANS.free, credits: 100 },
  pro: { ...DEFAULT_PLANS.pro, credits: 1000 },
};
const EMPTY_SUBSCRIPTION: SubscriptionChange = {
  ...NO_SUBSCRIPTION,
  lastSyncedAt: undefined,
  hasUsedTrial: undefined,
  plan: undefined,
};

onEachDatabase("a wallet", (newDatabase) => {
  it("is created and filled with the credits of the plan at the first view", async (context) => {
    const { userId, wallets, store } = await setUp(context, newDatabase, "2026-02-10T00:00:00.000Z");
    const { wallet } = await wallets.view(userId);
    assert.deepEqual([wallet.total, wallet.balance, wallet.extra, wallet.plan], [100, 100, 0, "free"]);
    assert.equal(wallet.periodEnd, "2026-02-28T00:00:00.000Z");
    assert.equal((await store.ledger.listOf(userId, { limit: 9 })).length, 1);
    await assertBalanced(store, userId);
  });

  it("is not found for an unknown user", async (context) => {
    const { wallets, reservations } = await setUp(context, newDatabase);
    for (const id of ["nobody", "'; drop table users; --", ""]) {
      await assert.rejects(wallets.view(id), isRefusal("unknown_user"));
      await assert.rejects(wallets.grant(id, { amount: 1 }), isRefusal("unknown_user"));
      await assert.rejects(wallets.ledger(id, { limit: 1 }), isRefusal("unknown_user"));
      await assert.rejects(wallets.setSubscription(id, EMPTY_SUBSCRIPTION), isRefusal("unknown_user"));
      await assert.rejects(
        reservations.open({ userId: id, requestId: "r", operation: "tts", credits: 1 }),
        isRefusal("unknown_user"),
      );
    }
  });

  it("pays from the package first, then from extra credits, and refunds in reverse order", async (context) => {
    const { userId, wallets, reservations, balances, store } = await setUp(context, newDatabase);
    await wallets.grant(userId, { amount: 50 });
    const open = { userId, requestId: "r1", operation: "tts", credits: 120 };
    assert.equal(await reservations.open(open), true);
    assert.deepEqual(await balances(), [0, 30]);
    assert.equal(await reservations.close(userId, "r1", 110), 110);
    assert.deepEqual(await balances(), [0, 40]);
    await reservations.open({ ...open, requestId: "r2", credits: 40 });
    assert.deepEqual(await balances(), [0, 0]);
    assert.equal(await reservations.close(userId, "r2", 0), 0);
    assert.deepEqual(await balances(), [0, 40]);
    const kinds = (await store.ledger.ofRequest(userId, "r1")).map(({ kind, bucket, amount }) => [
      kind,
      bucket,
      amount,
    ]);
    assert.deepEqual(kinds, [
      ["reserve", "package", -100],
      ["reserve", "extra", -20],
      ["settle", "package", 0],
      ["settle", "extra", 10],
    ]);
    await assertBalanced(store, userId);
  });

  it("refuses a reservation over the balance with price and balance", async (context) => {
    const { userId, reservations, balances } = await setUp(context, newDatabase);
    await assert.rejects(
      reservations.open({ userId, requestId: "r", operation: "tts", credits: 101 }),
      (error) =>
        error instanceof ApiError &&
        error.status === 402 &&
        error.message === "Not enough credit: this costs 101 credits, 100 are left",
    );
    assert.deepEqual(await balances(), [100, 0]);
  });

  it("opens and closes each request once, however often it is repeated", async (context) => {
    const { userId, reservations, balances, store } = await setUp(context, newDatabase);
    const open = { userId, requestId: "r", operation: "tts", credits: 60 };
    const opened = await Promise.all([reservations.open(open), reservations.open(open), reservations.open(open)]);
    assert.equal(opened.filter(Boolean).length, 1);
    const closed = await Promise.all([60, 10, 0].map((used) => reservations.close(userId, "r", used)));
    assert.equal(closed.filter((kept) => kept !== undefined).length, 1);
    assert.equal(await reservations.open(open), false);
    assert.equal(await reservations.close(userId, "r", 60), undefined);
    assert.deepEqual(await balances(), [100 - (closed.find((kept) => kept !== undefined) ?? 0), 0]);
    await assertBalanced(store, userId);
  });

  it("never charges more than was reserved", async (context) => {
    const { userId, reservations, balances } = await setUp(context, newDatabase);
    await reservations.open({ userId, requestId: "r", operation: "tts", credits: 10 });
    assert.equal(await reservations.close(userId, "r", 1000), 10);
    assert.deepEqual(await balances(), [90, 0]);
  });

  it("closes the reservations of a node and charges what was delivered", async (context) => {
    const { userId, reservations, balances, store } = await setUp(context, newDatabase);
    for (const requestId of ["a", "b", "c"]) {
      await reservations.open({ userId, requestId, operation: "tts", credits: 20 });
    }
    await reservations.deliver(userId, "a", 15);
    await reservations.deliver(userId, "a", 5);
    await reservations.deliver(userId, "b", 1);
    await Promise.all([reservations.closeForNode("node-1"), reservations.closeForNode("node-1")]);
    await reservations.closeForNode("another");
    assert.deepEqual(await balances(), [84, 0]);
    assert.deepEqual(await store.reservations.ofUser(userId), []);
    assert.equal((await store.ledger.ofRequest(userId, "c")).at(-1)?.kind, "refund");
    await assertBalanced(store, userId);
  });

  it("closes reservations without progress for an hour", async (context) => {
    const { userId, reservations, balances, clock } = await setUp(context, newDatabase, "2026-02-10T00:00:00.000Z");
    await reservations.open({ userId, requestId: "r", operation: "tts", credits: 20 });
    clock.set("2026-02-10T00:50:00.000Z");
    await reservations.deliver(userId, "r", 3);
    clock.set("2026-02-10T01:30:00.000Z");
    await reservations.closeExpired();
    assert.deepEqual(await balances(), [80, 0]);
    clock.set("2026-02-10T02:00:00.000Z");
    await reservations.closeExpired();
    assert.deepEqual(await balances(), [97, 0]);
  });

  it("keeps the reservations of running requests when the clock jumps", async (context) => {
    const { userId, store, reservations, balances, clock, now } = await setUp(context, newDatabase);
    const ofOther = createReservationService({ store, plans, node: "node-2", now });
    await store.nodes.heartbeat("node-2", "2026-02-01T00:00:00.000Z");
    await reservations.open({ userId, requestId: "r", operation: "tts", credits: 20 });
    await ofOther.open({ userId, requestId: "s", operation: "tts", credits: 5 });
    for (const ms of [24 * 3_600_000, -48 * 3_600_000, 24 * 3_600_000]) {
      clock.jump(ms);
      await reservations.closeExpired();
      assert.deepEqual(await balances(), [75, 0]);
    }
    assert.equal(await reservations.close(userId, "r", 18), 18);
    await store.nodes.remove("node-2");
    clock.jump(20 * 365 * 24 * 3_600_000);
    await reservations.closeExpired();
    assert.deepEqual(await store.reservations.ofUser(userId), [], "its node is gone");
  });

  it("is refilled once per period, and the unused package expires", async (context) => {
    const { userId, wallets, reservations, store, clock, balances } = await setUp(context, newDatabase);
    await wallets.grant(userId, { amount: 7 });
    await reservations.open({ userId, requestId: "r", operation: "tts", credits: 30 });
    clock.set("2026-06-30T00:00:00.000Z");
    const views = await Promise.all(Array.from({ length: 5 }, () => wallets.view(userId)));
    for (const { wallet } of views) {
      assert.deepEqual([wallet.balance, wallet.extra, wallet.periodEnd], [100, 7, "2026-07-31T00:00:00.000Z"]);
    }
    const entries = await store.ledger.listOf(userId, { limit: 2 });
    assert.deepEqual(
      entries.map(({ kind, amount }) => [kind, amount]),
      [
        ["refill", 100],
        ["expire", -70],
      ],
    );
    // A refund to an expired package expires too.
    await reservations.close(userId, "r", 10);
    assert.deepEqual(await balances(), [100, 7]);
    await assertBalanced(store, userId);
  });

  it("is unchanged when the clock is set back", async (context) => {
    const { userId, wallets, store, clock } = await setUp(context, newDatabase, "2026-03-05T00:00:00.000Z");
    const before = (await wallets.view(userId)).wallet;
    for (const time of ["2025-01-01T00:00:00.000Z", "2026-03-05T00:00:00.000Z", "1999-01-01T00:00:00.000Z"]) {
      clock.set(time);
      assert.deepEqual((await wallets.view(userId)).wallet, before);
    }
    await assertBalanced(store, userId);
  });

  it("follows a changed plan at once: the old package expires and a new period begins", async (context) => {
    const { userId, wallets, reservations, balances, store, clock } = await setUp(context, newDatabase);
    await reservations.open({ userId, requestId: "r", operation: "tts", credits: 30 });
    clock.set("2026-02-10T12:00:00.000Z");
    const { wallet } = await wallets.setSubscription(userId, { ...EMPTY_SUBSCRIPTION, plan: "pro" });
    assert.deepEqual([wallet.plan, wallet.total, wallet.balance], ["pro", 1000, 1000]);
    assert.equal(wallet.periodEnd, "2026-03-10T12:00:00.000Z");
    await reservations.close(userId, "r", 0);
    assert.deepEqual(await balances(), [1000, 0]);
    await wallets.setSubscription(userId, { ...EMPTY_SUBSCRIPTION, plan: "pro" });
    assert.deepEqual(await balances(), [1000, 0]);
    assert.equal((await store.users.find(userId))?.plan, "pro");
    await assertBalanced(store, userId);
  });

  it("stores the subscription of a payment provider and keeps the trial flag", async (context) => {
    const { userId, wallets } = await setUp(context, newDatabase);
    const subscribed = {
      ...EMPTY_SUBSCRIPTION,
      providerSubscriptionId: "sub_1",
      billingPeriod: "month",
      cancelAtPeriodEnd: false,
      scheduledChange: { to: "plus", when: ["later"] },
      hasUsedTrial: true,
    };
    await wallets.setSubscription(userId, subscribed);
    const { subscription } = await wallets.view(userId);
    assert.deepEqual(subscription.scheduledChange, { to: "plus", when: ["later"] });
    assert.equal(subscription.cancelAtPeriodEnd, false);
    assert.ok(subscription.lastSyncedAt);
    const later = (await wallets.setSubscription(userId, EMPTY_SUBSCRIPTION)).subscription;
    assert.deepEqual([later.providerSubscriptionId, later.scheduledChange, later.hasUsedTrial], [null, null, true]);
  });

  it("grants once per idempotency key, and removes no more than the balance", async (context) => {
    const { userId, wallets, balances, store } = await setUp(context, newDatabase);
    const grant = { amount: 40, key: "invoice-1", note: "thanks", by: "admin" };
    const results = await Promise.all([1, 2, 3].map(() => wallets.grant(userId, grant)));
    assert.equal(results.filter(({ created }) => created).length, 1);
    assert.deepEqual(new Set(results.map(({ entry }) => entry.number)).size, 1);
    await assert.rejects(wallets.grant(userId, { ...grant, amount: 41 }), isRefusal("invalid_value"));
    assert.equal((await wallets.grant(userId, { amount: -10 })).wallet.extra, 30);
    await assert.rejects(wallets.grant(userId, { amount: -31 }), isRefusal("invalid_value"));
    for (const amount of [0, 0.5, Number.NaN, 1e15]) {
      await assert.rejects(wallets.grant(userId, { amount }), isRefusal("invalid_value"));
    }
    assert.deepEqual(await balances(), [100, 30]);
    assert.equal((await store.wallets.find(userId))?.toppedUp, 40);
    await assertBalanced(store, userId);
  });

  it("lists its ledger newest first, in pages", async (context) => {
    const { userId, wallets } = await setUp(context, newDatabase);
    for (let i = 0; i < 4; i += 1) await wallets.grant(userId, { amount: i + 1 });
    const first = await wallets.ledger(userId, { limit: 3 });
    assert.deepEqual([first.entries.map(({ number }) => number), first.hasMore], [[5, 4, 3], true]);
    const last = await wallets.ledger(userId, { before: 3, limit: 3 });
    assert.deepEqual([last.entries.map(({ number }) => number), last.hasMore], [[2, 1], false]);
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase, start = "2026-02-01T00:00:00.000Z") {
  const store: Store = await (await newDatabase(context)).open();
  let time = Date.parse(start);
  let jump = 0;
  const now = () => time + jump;
  const userId = await insertUser(store);
  const wallets = createWalletService(store, plans, now);
  const reservations = createReservationService({ store, plans, node: "node-1", now, elapsed: () => time });
  const balances = async () => {
    const { wallet } = await wallets.view(userId);
    return [wallet.balance, wallet.extra];
  };
  const clock = {
    set(to: string) {
      time = Date.parse(to);
    },
    /** The time of day was changed, without any time having passed. */
    jump(ms: number) {
      jump += ms;
    },
  };
  return { store, userId, wallets, reservations, balances, clock, now };
}

function isRefusal(code: string) {
  return (error: unknown) => error instanceof ApiError && error.code === code;
}
