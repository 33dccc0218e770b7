import { createRateBook, type RateState } from "./rate.ts";

export interface LimitRules {
  /** Requests at a time. */
  readonly concurrency: number;
  /** 0: no limit. */
  readonly requestsPerMinute: number;
}

export interface Claim {
  readonly userId: string;
  /** How many the account has running on this node: the truth, whatever the book says. */
  readonly held: number;
  /** How many more want to start. */
  readonly wanted: number;
  readonly rules: LimitRules;
}

export interface Grant {
  /** How many of the wanted may start. */
  readonly granted: number;
  /** How many the account has running then, on all nodes. */
  readonly running: number;
  /** Undefined where the rate has no limit. */
  readonly rate: RateState | undefined;
}

/**
 * Keeps what the limits are counted by. A node says how many it has running and never by how much that changed, so
 * that whatever was lost or came twice is put right by the next word. It makes one claim at a time for an account.
 */
export interface LimitsBook {
  /** How long a node's word is good for: it has to be said again before. Undefined where nobody else counts. */
  readonly leaseMs: number | undefined;
  claim(claim: Claim): Promise<Grant>;
}

/** For a server of one process. */
export function createLocalBook(now: () => number = Date.now): LimitsBook {
  const rates = createRateBook();
  return {
    leaseMs: undefined,
    async claim({ userId, held, wanted, rules }) {
      const free = Math.max(0, Math.min(wanted, rules.concurrency - held));
      const { granted, rate } = rates.take(userId, free, rules.requestsPerMinute, now() * 1000);
      return { granted, running: held + granted, rate };
    },
  };
}
