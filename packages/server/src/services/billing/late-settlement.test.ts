import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { DEFAULT_PLANS, type Plans } from "@parlance/protocol";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { assertBalanced, insertUser } from "../../testing/wallet-user.ts";
import type { Correction } from "./late-settlement.ts";
import { createReservationService } from "./reservations.ts";
import { createWalletService } from "./wallet.ts";

const plans: Plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 300 } };
const REQUEST = { requestId: "r", operation: "tts", credits: 227 } as const;
/** Enough that both nodes come first some of the time. */
const RACES = 8;

onEachDatabase("a node that expired while it ran a request", (newDatabase) => {
  it("charges what the request has used in the end, and logs it", async (context) => {
    const { userId, store, live, other, balances, corrections } = await setUp(context, newDatabase);
    await live.open({ userId, ...REQUEST });
    await live.deliver(userId, "r", 76);
    await other.closeForNode("live");
    assert.deepEqual(await balances(), [300 - 76, 0]);
    await live.deliver(userId, "r", 151);
    assert.equal(await live.close(userId, "r", 227), 227);
    assert.deepEqual(await balances(), [300 - 227, 0]);
    assert.deepEqual(corrections, [{ before: 76, after: 227 }]);
    const [, , last] = await store.ledger.ofRequest(userId, "r");
    assert.deepEqual([last?.kind, last?.bucket, last?.amount, last?.note], ["correct", "package", -151, "tts"]);
    assert.equal(await live.close(userId, "r", 0), undefined, "the first settlement of a request counts");
    await assertBalanced(store, userId);
  });

  it("returns what was charged for a request that failed", async (context) => {
    const { userId, store, live, other, wallets, balances } = await setUp(context, newDatabase);
    await wallets.grant(userId, { amount: 50 });
    await live.open({ userId, ...REQUEST, credits: 340 });
    await live.deliver(userId, "r", 320);
    await other.closeForNode("live");
    assert.deepEqual(await balances(), [0, 30]);
    assert.equal(await live.close(userId, "r", 0), 0);
    assert.deepEqual(await balances(), [300, 50]);
    await assertBalanced(store, userId);
  });

  it("changes nothing when the other node has charged the same", async (context) => {
    const { userId, store, live, other, corrections } = await setUp(context, newDatabase);
    await live.open({ userId, ...REQUEST });
    await live.deliver(userId, "r", 227);
    await other.closeForNode("live");
    assert.equal(await live.close(userId, "r", 227), undefined);
    assert.deepEqual(corrections, []);
    assert.equal((await store.ledger.ofRequest(userId, "r")).length, 2);
  });

  it("takes what the package lacks from the extra credits, and never more than there is", async (context) => {
    const { userId, store, live, other, wallets, balances } = await setUp(context, newDatabase);
    await wallets.grant(userId, { amount: 40 });
    await live.open({ userId, ...REQUEST });
    await other.closeForNode("live");
    await other.open({ userId, requestId: "spent meanwhile", operation: "tts", credits: 270 });
    assert.equal(await live.close(userId, "r", 227), 70);
    assert.deepEqual(await balances(), [0, 0]);
    await assertBalanced(store, userId);
  });

  it("charges no new package for credits that have expired with the old one", async (context) => {
    const { userId, store, live, other, balances, clock } = await setUp(context, newDatabase);
    await live.open({ userId, ...REQUEST });
    await live.deliver(userId, "r", 76);
    clock.set("2026-03-05T00:00:00.000Z");
    assert.deepEqual(await balances(), [300, 0]);
    await other.closeForNode("live");
    assert.equal(await live.close(userId, "r", 227), undefined);
    assert.deepEqual(await balances(), [300, 0]);
    await assertBalanced(store, userId);
  });

  it("counts the difference against the limits of the key", async (context) => {
    const { userId, store, live, other } = await setUp(context, newDatabase);
    const key = { keyId: "key", limits: undefined };
    await live.open({ userId, ...REQUEST, key });
    await live.deliver(userId, "r", 76);
    await other.closeForNode("live");
    assert.equal((await store.keySpending.find("key"))?.totalCredits, 76);
    await live.close(userId, "r", 227);
    const spent = await store.keySpending.find("key");
    assert.deepEqual([spent?.dayCredits, spent?.monthCredits, spent?.totalCredits], [227, 227, 227]);
  });

  it("charges the same when both nodes settle at the same time", async (context) => {
    const { userId, store, live, other, balances } = await setUp(context, newDatabase);
    for (let race = 0; race < RACES; race++) {
      const requestId = `race-${race}`;
      await live.open({ userId, ...REQUEST, requestId, credits: 20 });
      await live.deliver(userId, requestId, 7);
      const first = race % 2 === 0 ? [other.closeForNode("live"), live.close(userId, requestId, 15)] : [];
      const second = race % 2 === 0 ? [] : [live.close(userId, requestId, 15), other.closeForNode("live")];
      await Promise.all([...first, ...second]);
      await live.close(userId, requestId, 15);
      assert.deepEqual(await balances(), [300 - 15 * (race + 1), 0]);
    }
    await assertBalanced(store, userId);
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase) {
  const store = await (await newDatabase(context)).open();
  let time = Date.parse("2026-02-01T00:00:00.000Z");
  const now = () => time;
  const userId = await insertUser(store);
  const wallets = createWalletService(store, plans, now);
  const corrections: Correction[] = [];
  const onCorrected = (_id: string, correction: Correction) => void corrections.push(correction);
  return {
    userId,
    store,
    wallets,
    corrections,
    live: createReservationService({ store, plans, node: "live", now, onCorrected }),
    other: createReservationService({ store, plans, node: "other", now }),
    clock: {
      set(to: string) {
        time = Date.parse(to);
      },
    },
    balances: async () => {
      const { wallet } = await wallets.view(userId);
      return [wallet.balance, wallet.extra];
    },
  };
}
