import { apiError, type PlanRules, type Plans } from "@parlance/protocol";
import { doneWithin } from "../../lib/time-limit.ts";
import type { Caller } from "../identity/keys.ts";
import { type AccountQueue, createAccountQueue } from "./account-queue.ts";
import type { HasMemory } from "./memory-guard.ts";
import type { QuotaCounter } from "./quota-counter.ts";
import { limitHeaders } from "./refusal.ts";

/** The right to run one request, counted against the account's concurrency limit. */
export interface Slot {
  /** How many requests the account has running, this one included. */
  readonly current: number;
  readonly limit: number;
  /** The response headers that describe the account's limits. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Frees the slot; further calls do nothing. Resolves when the account's next request finds the slot free on every
   * node, or when that takes too long. Never rejects.
   */
  readonly release: () => Promise<void>;
}

/** Limits by the account's plan, for all of its keys together. */
export interface Limits {
  /**
   * Throws the 429 with the time to retry after, 503 while the counts cannot be read or memory is short, and the signal's reason when it
   * aborts.
   */
  acquire(caller: Pick<Caller, "userId" | "plan">, signal?: AbortSignal): Promise<Slot>;
  /** Refuses every request from now on. Resolves when nothing is written any more. */
  close(): Promise<void>;
}

export interface LimitsOptions {
  readonly plans: Readonly<Record<keyof Plans, Pick<PlanRules, "concurrency" | "requestsPerMinute">>>;
  readonly counter: QuotaCounter;
  /** How long a request waits for a slot before it is refused. */
  readonly waitMs?: number;
  /** Without memory every request is refused. By default there always is. */
  readonly hasMemory?: HasMemory;
  /** How long the end of a response may wait for its slot to be freed. */
  readonly releaseMs?: number;
}

const RELEASE_MS = 500;
const CLOSE_MS = 2_000;

export function createLimits(options: LimitsOptions): Limits {
  const { plans, counter, waitMs = 0, hasMemory = () => true, releaseMs = RELEASE_MS } = options;
  const queues = new Map<string, AccountQueue>();
  let closed = false;
  const queueOf = (userId: string): AccountQueue => {
    const known = queues.get(userId);
    if (known !== undefined) return known;
    const fresh = createAccountQueue(userId, { counter, waitMs, onEmpty: () => queues.delete(userId) });
    queues.set(userId, fresh);
    return fresh;
  };
  const renewing =
    counter.leaseMs === undefined
      ? undefined
      : setInterval(() => {
          for (const queue of queues.values()) queue.renew();
        }, counter.leaseMs / 3).unref();

  return {
    async acquire({ userId, plan }, signal) {
      if (closed) throw apiError("draining", {}, { retryAfterSeconds: 5 });
      if (!hasMemory()) throw apiError("overloaded", {}, { retryAfterSeconds: 5 });
      const rules = plans[plan];
      const queue = queueOf(userId);
      const grant = await queue.acquire(rules, signal);
      let released: Promise<unknown> | undefined;
      const release = async (): Promise<void> => {
        released ??= doneWithin(queue.release(), releaseMs);
        await released;
      };
      if (signal?.aborted) {
        await release();
        signal.throwIfAborted();
      }
      return { current: grant.running, limit: rules.concurrency, headers: limitHeaders(rules, grant), release };
    },
    async close() {
      closed = true;
      clearInterval(renewing);
      await doneWithin(Promise.all([...queues.values()].map((queue) => queue.close())), CLOSE_MS);
    },
  };
}
