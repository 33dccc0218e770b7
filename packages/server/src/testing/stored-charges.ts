import assert from "node:assert/strict";
import { hashKey } from "../services/identity/keys.ts";
import type { Store } from "../stores/store.ts";
import type { Acknowledged } from "./charged-load.ts";
import { until } from "./until.ts";
import { assertBalanced } from "./wallet-user.ts";

export async function untilNothingIsOpen(store: Store, users: readonly string[]): Promise<void> {
  for (const userId of users) {
    await until(async () => (await store.reservations.ofUser(userId)).length === 0);
  }
}

/** Ledger and balance agree with each other and with every acknowledged charge. */
export async function assertStored(store: Store, users: readonly string[], acknowledged: Acknowledged): Promise<void> {
  const costs = new Map<string, number>();
  for (const userId of users) {
    if ((await store.wallets.find(userId)) === undefined) continue;
    await assertBalanced(store, userId);
    const byRequest = new Map<string, { reserved: number; cost: number }>();
    for (const { requestId, kind, amount } of await store.ledger.listOf(userId, { limit: 1_000_000 })) {
      if (kind === "refill" || kind === "expire") continue;
      const sums = byRequest.get(requestId) ?? { reserved: 0, cost: 0 };
      sums.cost -= amount;
      if (kind === "reserve") sums.reserved -= amount;
      byRequest.set(requestId, sums);
    }
    for (const [requestId, { reserved, cost }] of byRequest) {
      assert.ok(cost >= 0 && cost <= reserved, `${requestId} has cost ${cost} of ${reserved}`);
      const traceId = requestId.split("-")[0] ?? "";
      costs.set(traceId, (costs.get(traceId) ?? 0) + cost);
    }
  }
  for (const [traceId, price] of acknowledged.charges)
    assert.equal(costs.get(traceId), price, `the charge of ${traceId}`);
  for (const secret of acknowledged.keys)
    assert.ok(await store.apiKeys.findByHash(hashKey(secret)), "a key that was shown");
}
