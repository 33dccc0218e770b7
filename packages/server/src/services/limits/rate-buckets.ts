/**
 * A token bucket with as many tokens as requests are allowed in a minute, refilled evenly. Its state is one number: the
 * time, in microseconds, when it will be full again.
 */
export interface RateState {
  /** Requests in a minute. */
  readonly limit: number;
  /** How many requests may start now. */
  readonly remaining: number;
  /** Time until one more may start; 0 when one may start now. */
  readonly nextMs: number;
  /** Time until the bucket is full. */
  readonly fullMs: number;
}

const MINUTE_US = 60_000_000;

/** Microseconds in which one token is refilled. */
export function refillOf(requestsPerMinute: number): number {
  return Math.floor(MINUTE_US / requestsPerMinute);
}

export function rateState(requestsPerMinute: number, fullAt: number, now: number): RateState {
  const refill = refillOf(requestsPerMinute);
  const missing = Math.max(0, fullAt - now);
  const remaining = Math.max(0, Math.floor(requestsPerMinute - missing / refill));
  const nextMs = remaining > 0 ? 0 : (missing - (requestsPerMinute - 1) * refill) / 1000;
  return { limit: requestsPerMinute, remaining, nextMs, fullMs: missing / 1000 };
}

export interface RateBuckets {
  take(userId: string, requested: number, requestsPerMinute: number, now: number): RateTaken;
}

export interface RateTaken {
  readonly granted: number;
  readonly rate: RateState | undefined;
}

/** Above this number of accounts, those with a full bucket are forgotten. */
const MAX_REMEMBERED = 10_000;

/** The buckets of this process, by account. */
export function createRateBuckets(): RateBuckets {
  const fullAts = new Map<string, number>();
  const forgetFull = (now: number): void => {
    for (const [userId, fullAt] of fullAts) if (fullAt <= now) fullAts.delete(userId);
  };
  return {
    take(userId, requested, requestsPerMinute, now) {
      if (requestsPerMinute === 0) return { granted: requested, rate: undefined };
      const fullAt = fullAts.get(userId) ?? 0;
      const granted = Math.min(requested, rateState(requestsPerMinute, fullAt, now).remaining);
      const next = Math.max(fullAt, now) + granted * refillOf(requestsPerMinute);
      if (fullAts.size >= MAX_REMEMBERED && !fullAts.has(userId)) forgetFull(now);
      if (granted > 0) fullAts.set(userId, next);
      return { granted, rate: rateState(requestsPerMinute, next, now) };
    },
  };
}
