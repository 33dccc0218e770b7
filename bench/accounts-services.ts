import { DEFAULT_PLANS } from "@parlance/protocol";
import { createLog, type Store } from "@parlance/server";
import { createMetering } from "../packages/server/src/services/billing/metering.ts";
import { createNode } from "../packages/server/src/services/cluster/node.ts";
import { bootstrap } from "../packages/server/src/services/identity/bootstrap.ts";
import { createKeys } from "../packages/server/src/services/identity/keys.ts";
import { createLimits } from "../packages/server/src/services/limits/limits.ts";
import { createQuotaCounter } from "../packages/server/src/services/limits/shared-quota-counter.ts";
import { quantile, round } from "./statistics.ts";

export const BENCH_KEY = "bench-key-0123456789abcdef";

const WARM = 100;
const REQUESTS = 500;

/**
 * The services that every request uses, called in the same order. In between, a synchronous write is timed for
 * comparison: a request makes two.
 */
export async function benchServices(
  store: Store,
  syncedWrite: () => void,
): Promise<Record<string, Record<string, number>>> {
  await bootstrap(store, BENCH_KEY);
  const log = createLog("silent");
  const node = createNode(store, { log });
  await node.start();
  const keys = createKeys(store);
  const limits = createLimits({ plans: DEFAULT_PLANS, counter: createQuotaCounter(store, node.id) });
  const metering = createMetering({ store, node, plans: DEFAULT_PLANS, log });
  const steps: Record<string, number[]> = {};
  const timed = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    const result = await work();
    const took = steps[name] ?? [];
    steps[name] = took;
    took.push(performance.now() - start);
    return result;
  };
  const request = async (index: number): Promise<void> => {
    const caller = await timed("who it is", () => keys.authenticate(`Bearer ${BENCH_KEY}`));
    const slot = await timed("limits", () => limits.acquire(caller));
    const work = { traceId: `bench-${index}`, operation: "tts", credits: 160 };
    const charge = await timed("reserve", () => metering.reserve(caller, work));
    await timed("settle", () => charge.settle());
    await timed("leave", () => slot.release());
  };
  try {
    for (let index = 0; index < WARM; index++) await request(index);
    for (const name of Object.keys(steps)) steps[name] = [];
    for (let index = 0; index < REQUESTS; index++) {
      await timed("all of it", () => request(WARM + index));
      await timed("one synced write", async () => syncedWrite());
    }
    const rows = Object.entries(steps).map(([name, took]) => [
      name,
      { p50: round(quantile(took, 0.5), 3), p95: round(quantile(took, 0.95), 3) },
    ]);
    return Object.fromEntries(rows);
  } finally {
    await limits.close();
    await metering.close();
    await node.close();
  }
}
