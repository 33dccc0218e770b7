import { monotonicNow } from "../../lib/time.ts";
import { createRateBuckets, type RateState } from "./rate-buckets.ts";

export interface LimitRules {
  /** Requests at a time. */
  readonly concurrency: number;
  /** 0: no limit. */
  readonly requestsPerMinute: number;
  /** The concurrency is only a bound of memory, so clients are not told of it. */
  readonly isInternal?: true | undefined;
}

export interface Claim {
  /** The account, or `key:` and the id of a key with limits of its own. */
  readonly userId: string;
  /** How many requests the account has running on this node. Overwrites what the counter has on record. */
  readonly held: number;
  /** How many more are to start. */
  readonly requested: number;
  readonly rules: LimitRules;
}

export interface Grant {
  /** How many of the requested ones may start. */
  readonly granted: number;
  /** How many the account has running then, on all nodes together. */
  readonly running: number;
  /** Undefined where the rate has no limit. */
  readonly rate: RateState | undefined;
}

/**
 * Counts running requests and request rates by account. A node reports how many it has running, never the difference,
 * so a lost or repeated claim is corrected by the next one. A node makes one claim at a time for an account.
 */
export interface QuotaCounter {
  /** How long a claim is valid: it has to be renewed before. Undefined where only this process counts. */
  readonly leaseMs: number | undefined;
  claim(claim: Claim): Promise<Grant>;
}

/** Counts in memory, for a service of one process. */
export function createLocalQuotaCounter(now: () => number = monotonicNow): QuotaCounter {
  const buckets = createRateBuckets();
  return {
    leaseMs: undefined,
    async claim({ userId, held, requested, rules }) {
      const free = Math.max(0, Math.min(requested, rules.concurrency - held));
      const { granted, rate } = buckets.take(userId, free, rules.requestsPerMinute, now() * 1000);
      return { granted, running: held + granted, rate };
    },
  };
}
