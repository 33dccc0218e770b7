import type { LeaseStore } from "../../stores/leases.ts";
import type { Store } from "../../stores/store.ts";
import { createLocalQuotaCounter, type QuotaCounter } from "./quota-counter.ts";
import { rateState, refillOf } from "./rate-buckets.ts";

/** A node that renews nothing for this long has expired, and its requests no longer count. */
const LEASE_MS = 30_000;

export interface SharedQuotaCounterOptions {
  readonly leaseMs?: number;
  /** Milliseconds since 1970. Default: the clock of the database. */
  readonly now?: () => number;
}

/** Counts in the database if other nodes may use it, otherwise in memory. */
export function createQuotaCounter(
  store: Pick<Store, "leases">,
  nodeId: string,
  options: SharedQuotaCounterOptions = {},
): QuotaCounter {
  return store.leases === undefined
    ? createLocalQuotaCounter(options.now)
    : createSharedQuotaCounter(store.leases, nodeId, options);
}

/** Counts in PostgreSQL, for any number of nodes. */
function createSharedQuotaCounter(
  leases: LeaseStore,
  nodeId: string,
  { leaseMs = LEASE_MS, now }: SharedQuotaCounterOptions = {},
): QuotaCounter {
  return {
    leaseMs,
    async claim({ userId, held, requested, rules: { concurrency, requestsPerMinute } }) {
      const { granted, running, ...time } = await leases.claim({
        userId,
        nodeId,
        held,
        requested,
        limit: concurrency,
        burst: requestsPerMinute,
        refill: requestsPerMinute === 0 ? 0 : refillOf(requestsPerMinute),
        lease: leaseMs * 1000,
        ...(now === undefined ? {} : { now: now() * 1000 }),
      });
      const rate = requestsPerMinute === 0 ? undefined : rateState(requestsPerMinute, time.fullAt, time.now);
      return { granted, running, rate };
    },
  };
}
