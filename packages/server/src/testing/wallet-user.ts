import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { PlanName } from "@parlance/protocol";
import type { Store } from "../stores/store.ts";

/** A user for the tests of wallets. */
export async function insertUser(
  store: Store,
  { plan = "free", createdAt = "2026-01-31T00:00:00.000Z" }: { plan?: PlanName; createdAt?: string } = {},
): Promise<string> {
  const id = randomBytes(16).toString("hex");
  await store.users.insert({
    id,
    role: "member",
    plan,
    nickname: "Ada",
    email: null,
    createdAt,
    updatedAt: createdAt,
    disabledAt: null,
  });
  return id;
}

/** The invariants of every wallet. */
export async function assertBalanced(store: Store, userId: string): Promise<void> {
  const wallet = await store.wallets.find(userId);
  assert.ok(wallet);
  const sums = await store.ledger.sums(userId);
  assert.deepEqual(sums, { package: wallet.balance, extra: wallet.extra, entries: wallet.entries });
  assert.ok(wallet.balance >= 0 && wallet.extra >= 0);
}
