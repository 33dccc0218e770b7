import { apiError, type PlanRules, type Plans } from "@parlance/protocol";
import type { Caller } from "../identity/keys.ts";
import { type Account, createAccount } from "./account-queue.ts";
import type { LimitsBook } from "./quota-counter.ts";
import { limitHeaders } from "./refusal.ts";

/** A place among an account's running requests. */
export interface Place {
  /** How many the account has running, this one included. */
  readonly current: number;
  readonly limit: number;
  /** What an answer says about the account's limits. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Gives the place back; calling it again does nothing more. Resolves when the next request of the account finds
   * the place free, on whatever node, or when that takes too long. Never rejects.
   */
  readonly release: () => Promise<void>;
}

/** Limits by the account's plan, for all of its keys together. */
export interface Limits {
  /**
   * Throws the 429 that says when to come back, 503 while the counts cannot be read, and the signal's reason when
   * the caller gives up waiting.
   */
  enter(caller: Pick<Caller, "userId" | "plan">, signal?: AbortSignal): Promise<Place>;
  /** Nobody is let in from now on. Resolves when nothing is written any more. */
  close(): Promise<void>;
}

export interface LimitsOptions {
  readonly plans: Readonly<Record<keyof Plans, Pick<PlanRules, "concurrency" | "requestsPerMinute">>>;
  readonly book: LimitsBook;
  /** How long a request waits for a place before it is refused. */
  readonly waitMs?: number;
  /** An answer does not wait for longer than this to end because its place is being given back. */
  readonly releaseMs?: number;
}

const RELEASE_MS = 500;
const CLOSE_MS = 2_000;

export function createLimits({ plans, book, waitMs = 0, releaseMs = RELEASE_MS }: LimitsOptions): Limits {
  const accounts = new Map<string, Account>();
  let closed = false;
  const accountOf = (userId: string): Account => {
    const known = accounts.get(userId);
    if (known !== undefined) return known;
    const fresh = createAccount(userId, { book, waitMs, onRest: () => accounts.delete(userId) });
    accounts.set(userId, fresh);
    return fresh;
  };
  const renewing =
    book.leaseMs === undefined
      ? undefined
      : setInterval(() => {
          for (const account of accounts.values()) account.renew();
        }, book.leaseMs / 3).unref();

  return {
    async enter({ userId, plan }, signal) {
      if (closed) throw apiError("draining", {}, { retryAfterSeconds: 5 });
      const rules = plans[plan];
      const account = accountOf(userId);
      const grant = await account.enter(rules, signal);
      let released: Promise<void> | undefined;
      const release = (): Promise<void> => {
        released ??= within(account.leave(), releaseMs);
        return released;
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
      await within(Promise.all([...accounts.values()].map((account) => account.close())), CLOSE_MS);
    },
  };
}

/** Resolves with the work, or when the time is over. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
