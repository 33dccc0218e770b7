/**
 * A bucket of as many requests as a minute may have, refilled evenly so that there is no rush at the minute's start.
 * All of its state is one number: the time, in microseconds, when it will be full again.
 */
export interface RateState {
  /** Requests in a minute. */
  readonly limit: number;
  /** How many may start now. */
  readonly remaining: number;
  /** Until one more may start; 0 when one may. */
  readonly nextMs: number;
  /** Until it is as if nothing had been asked. */
  readonly fullMs: number;
}

const MINUTE_US = 60_000_000;

/** Microseconds in which one request comes back. */
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

export interface RateBook {
  take(userId: string, wanted: number, requestsPerMinute: number, now: number): RateTaken;
}

export interface RateTaken {
  readonly granted: number;
  readonly rate: RateState | undefined;
}

/** Accounts that are remembered before those with a full bucket are forgotten. */
const REMEMBERED = 10_000;

/** The buckets of this process. */
export function createRateBook(): RateBook {
  const fullAts = new Map<string, number>();
  const forgetFull = (now: number): void => {
    for (const [userId, fullAt] of fullAts) if (fullAt <= now) fullAts.delete(userId);
  };
  return {
    take(userId, wanted, requestsPerMinute, now) {
      if (requestsPerMinute === 0) return { granted: wanted, rate: undefined };
      const fullAt = fullAts.get(userId) ?? 0;
      const granted = Math.min(wanted, rateState(requestsPerMinute, fullAt, now).remaining);
      const next = Math.max(fullAt, now) + granted * refillOf(requestsPerMinute);
      if (fullAts.size >= REMEMBERED && !fullAts.has(userId)) forgetFull(now);
      if (granted > 0) fullAts.set(userId, next);
      return { granted, rate: rateState(requestsPerMinute, next, now) };
    },
  };
}
