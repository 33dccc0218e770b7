import { apiError } from "@parlance/protocol";

export interface LimitRules {
  /** Requests at a time. */
  readonly concurrency: number;
  /** 0: no limit. */
  readonly requestsPerMinute: number;
}

/** A place among an account's running requests. */
export interface Place {
  /** How many the account has running, this one included. */
  readonly current: number;
  readonly limit: number;
  /** Gives the place back. Calling it again does nothing. */
  release(): void;
}

export interface Limits {
  /** Throws the 429 that says when to come back. */
  enter(account: string): Place;
}

interface Usage {
  running: number;
  /** Requests that may start now; refilled evenly over the minute, so that there is no rush at its start. */
  tokens: number;
  refilledAt: number;
}

/** Accounts that are remembered before those at rest are forgotten. */
const REMEMBERED = 10_000;
const MINUTE_MS = 60_000;

/** Limits per account, all of its keys together, in this process. */
export function createLimits(rules: LimitRules, now: () => number = Date.now): Limits {
  const accounts = new Map<string, Usage>();
  const perMs = rules.requestsPerMinute / MINUTE_MS;

  const refill = (usage: Usage): void => {
    const elapsed = Math.max(0, now() - usage.refilledAt);
    usage.tokens = Math.min(rules.requestsPerMinute, usage.tokens + elapsed * perMs);
    usage.refilledAt = now();
  };
  const usageOf = (account: string): Usage => {
    const known = accounts.get(account);
    if (known !== undefined) {
      refill(known);
      return known;
    }
    if (accounts.size >= REMEMBERED) forgetResting();
    const fresh: Usage = { running: 0, tokens: rules.requestsPerMinute, refilledAt: now() };
    accounts.set(account, fresh);
    return fresh;
  };
  const forgetResting = (): void => {
    for (const [account, usage] of accounts) {
      refill(usage);
      if (usage.running === 0 && usage.tokens >= rules.requestsPerMinute) accounts.delete(account);
    }
  };

  return {
    enter(account) {
      const usage = usageOf(account);
      if (rules.requestsPerMinute > 0) {
        if (usage.tokens < 1) {
          const retryAfterSeconds = Math.max(1, Math.ceil((1 - usage.tokens) / perMs / 1000));
          throw apiError("rate_limited", { limit: rules.requestsPerMinute }, { retryAfterSeconds });
        }
        usage.tokens -= 1;
      }
      if (usage.running >= rules.concurrency) {
        throw apiError("concurrency_limited", { limit: rules.concurrency }, { retryAfterSeconds: 1 });
      }
      usage.running += 1;
      let held = true;
      return {
        current: usage.running,
        limit: rules.concurrency,
        release() {
          if (held) usage.running -= 1;
          held = false;
        },
      };
    },
  };
}
