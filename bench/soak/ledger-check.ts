import { openStore, type Store } from "@parlance/server";
import type { Result } from "./results.ts";

export interface LedgerReport {
  readonly charges: number;
  readonly credits: number;
  readonly faults: readonly string[];
}

/** Checks the ledger of a stopped server for consistency, and against the results of the clients. */
export async function checkLedger(data: string, results: readonly Result[]): Promise<LedgerReport> {
  const store = await openStore({ data, databaseUrl: undefined }, () => {});
  try {
    const faults: string[] = [];
    const costs = new Map<string, number>();
    let credits = 0;
    const admin = await store.users.findFirstAdmin();
    if (admin) credits += await auditUser(store, admin.id, costs, faults);
    for (const { traceId, price, outcome, kind } of results) {
      if (traceId === undefined || price === undefined) continue;
      const cost = costs.get(traceId) ?? 0;
      const right =
        outcome === "complete" ? cost === price : outcome === "aborted" ? cost >= 0 && cost <= price : cost === 0;
      if (!right) faults.push(`${kind} ${traceId} was ${outcome}, costs ${price} and was charged ${cost}`);
    }
    return { charges: costs.size, credits, faults };
  } finally {
    await store.close();
  }
}

async function auditUser(store: Store, userId: string, costs: Map<string, number>, faults: string[]): Promise<number> {
  const wallet = await store.wallets.find(userId);
  if (wallet === undefined) return 0;
  const sums = await store.ledger.sums(userId);
  if (sums.package !== wallet.balance || sums.extra !== wallet.extra || sums.entries !== wallet.entries) {
    faults.push(
      `the ledger of ${userId} adds up to ${JSON.stringify(sums)}, the wallet says ${wallet.balance}, ${wallet.extra}`,
    );
  }
  const open = await store.reservations.ofUser(userId);
  if (open.length > 0) faults.push(`${open.length} reservations are open`);
  const reserved = new Map<string, number>();
  let credits = 0;
  for (const { requestId, kind, amount } of await store.ledger.listOf(userId, { limit: 10_000_000 })) {
    if (kind === "refill" || kind === "expire") continue;
    const traceId = requestId.split("-")[0] ?? "";
    credits -= amount;
    costs.set(traceId, (costs.get(traceId) ?? 0) - amount);
    if (kind === "reserve") reserved.set(requestId, (reserved.get(requestId) ?? 0) + 1);
  }
  for (const [requestId, times] of reserved) if (times > 2) faults.push(`${requestId} was reserved ${times} times`);
  return credits;
}
