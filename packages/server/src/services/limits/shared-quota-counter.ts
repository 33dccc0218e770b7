import type { LeaseStore } from "../../stores/leases.ts";
import type { Store } from "../../stores/store.ts";
import { createLocalBook, type LimitsBook } from "./quota-counter.ts";
import { rateState, refillOf } from "./rate.ts";

/** A node that says nothing for this long is taken for dead, and its requests for ended. */
const LEASE_MS = 30_000;

export interface SharedBookOptions {
  readonly leaseMs?: number;
  /** Milliseconds since 1970; the database's clock when it is not given. */
  readonly now?: () => number;
}

/** The one that fits the database: other machines may count there too, or only this process does. */
export function createLimitsBook(
  store: Pick<Store, "leases">,
  nodeId: string,
  options: SharedBookOptions = {},
): LimitsBook {
  return store.leases === undefined ? createLocalBook(options.now) : createSharedBook(store.leases, nodeId, options);
}

/** For any number of nodes with one database. */
export function createSharedBook(
  leases: LeaseStore,
  nodeId: string,
  { leaseMs = LEASE_MS, now }: SharedBookOptions = {},
): LimitsBook {
  return {
    leaseMs,
    async claim({ userId, held, wanted, rules: { concurrency, requestsPerMinute } }) {
      const { granted, running, ...time } = await leases.claim({
        userId,
        nodeId,
        held,
        wanted,
        most: concurrency,
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
