import { apiError, type PlanRules, type Plans } from "@parlance/protocol";
import { doneWithin } from "../../lib/time-limit.ts";
import type { Caller } from "../identity/keys.ts";
import { type AccountQueue, createAccountQueue, MAX_WAITING } from "./account-queue.ts";
import type { HasMemory } from "./memory-guard.ts";
import type { Grant, LimitRules, QuotaCounter } from "./quota-counter.ts";
import { accountRefusal, draftHeaders, keyRefusal, limitHeaders, type Quota } from "./refusal.ts";

/** The right to run one request, counted against the account's concurrency limit. */
export interface Slot {
  /** How many requests the account has running, this one included. */
  readonly current: number;
  readonly limit: number;
  /** The response headers that describe the account's limits, or those of its key where they leave less. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Frees the slot; further calls do nothing. Resolves when the account's next request finds the slot free on every
   * node, or when that takes too long. Never rejects.
   */
  readonly release: () => Promise<void>;
}

/** Limits by the account's plan, for all of its keys together, and of single keys. */
export interface Limits {
  /**
   * Throws the 429 with the time to retry after, 503 while the counts cannot be read or memory is short, and the signal's reason when it
   * aborts.
   */
  acquire(caller: LimitedCaller, signal?: AbortSignal): Promise<Slot>;
  /** Refuses every request from now on. Resolves when nothing is written any more. */
  close(): Promise<void>;
}

export type LimitedCaller = Pick<Caller, "userId" | "plan"> & Partial<Pick<Caller, "keyId" | "limits">>;

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

interface Held {
  readonly grant: Grant;
  readonly rules: LimitRules;
  release(): Promise<void>;
}

export function createLimits(options: LimitsOptions): Limits {
  const { plans, counter, waitMs = 0, hasMemory = () => true, releaseMs = RELEASE_MS } = options;
  const queues = new Map<string, AccountQueue>();
  let closed = false;
  const queueOf = (subject: string, refusal: typeof keyRefusal): AccountQueue => {
    const known = queues.get(subject);
    if (known !== undefined) return known;
    const fresh = createAccountQueue(subject, { counter, waitMs, refusal, onEmpty: () => queues.delete(subject) });
    queues.set(subject, fresh);
    return fresh;
  };
  const renewing =
    counter.leaseMs === undefined
      ? undefined
      : setInterval(() => {
          for (const queue of queues.values()) queue.renew();
        }, counter.leaseMs / 3).unref();

  const hold = async (queue: AccountQueue, rules: LimitRules, signal: AbortSignal | undefined): Promise<Held> => {
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
    return { grant, rules, release };
  };

  return {
    async acquire({ userId, plan, keyId, limits }, signal) {
      if (closed) throw apiError("draining", {}, { retryAfterSeconds: 5 });
      if (!hasMemory()) throw apiError("overloaded", {}, { retryAfterSeconds: 5 });
      const rules = plans[plan];
      const ownRules = keyId === undefined ? undefined : keyRules(limits, rules);
      // The key first: what is over its own limit must use up nothing of the account's.
      const own = ownRules && (await hold(queueOf(`key:${keyId}`, keyRefusal), ownRules, signal));
      try {
        const account = await hold(queueOf(userId, accountRefusal), rules, signal);
        return {
          current: account.grant.running,
          limit: rules.concurrency,
          headers: headersOf(account, own),
          async release() {
            await Promise.all([account.release(), own?.release()]);
          },
        };
      } catch (error) {
        await own?.release();
        throw error;
      }
    },
    async close() {
      closed = true;
      clearInterval(renewing);
      await doneWithin(Promise.all([...queues.values()].map((queue) => queue.close())), CLOSE_MS);
    },
  };
}

/** Undefined where the key has no limit of this kind. */
function keyRules(limits: Caller["limits"], account: LimitRules): LimitRules | undefined {
  const { concurrency, requests_per_minute: requestsPerMinute = 0 } = limits ?? {};
  if (concurrency === undefined && requestsPerMinute === 0) return undefined;
  // Without a limit of its own it may hold as many slots as the account has running and waiting, so that the account refuses.
  return concurrency === undefined
    ? { concurrency: 2 * account.concurrency + MAX_WAITING, requestsPerMinute, isInternal: true }
    : { concurrency, requestsPerMinute };
}

/** Headers with one value say whichever leaves less: the account or its key. The others have room for all quotas. */
function headersOf(account: Held, key: Held | undefined): Readonly<Record<string, string>> {
  const quotas = { account: quotaOf(account), key: key && quotaOf(key) };
  const free = ({ rules, running }: Quota): number =>
    rules.isInternal === true ? Number.POSITIVE_INFINITY : rules.concurrency - running;
  const left = ({ rate }: Quota): number => rate?.remaining ?? Number.POSITIVE_INFINITY;
  const lesser = (what: (quota: Quota) => number): Quota =>
    quotas.key !== undefined && what(quotas.key) < what(quotas.account) ? quotas.key : quotas.account;
  return { ...limitHeaders({ ...lesser(free), rate: lesser(left).rate }), ...draftHeaders(quotas) };
}

function quotaOf({ rules, grant: { running, rate } }: Held): Quota {
  return { rules, running, rate };
}
