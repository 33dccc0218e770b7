import { apiError } from "@parlance/protocol";
import type { Grant, LimitRules, QuotaCounter } from "./quota-counter.ts";
import type { Refusal } from "./refusal.ts";

/** The requests of one account, or of one key with limits of its own, on this node: those that run and those that wait for a slot, in order of arrival. */
export interface AccountQueue {
  /** Resolves when the request may start. Throws the 429 with the time to retry after. */
  acquire(rules: LimitRules, signal: AbortSignal | undefined): Promise<Grant>;
  /** Frees one slot. Resolves when the counter has it, or cannot be reached now; never rejects. */
  release(): Promise<void>;
  /** Renews the lease on the slots that are in use here. */
  renew(): void;
  /** Whether nothing runs or waits. */
  readonly isEmpty: boolean;
  /** Refuses all requests that wait. Resolves when the last claim is done; none is made after that. */
  close(): Promise<void>;
}

export interface AccountQueueOptions {
  readonly counter: QuotaCounter;
  /** How long a request waits for a slot before it is refused. */
  readonly waitMs: number;
  /** Makes the 429. */
  readonly refusal: Refusal;
  readonly onEmpty: () => void;
}

interface Waiter {
  /** On the clock of `performance.now`. */
  readonly deadline: number;
  readonly start: (grant: Grant) => void;
  readonly refuse: (error: unknown) => void;
}

/** How many requests may wait, beyond as many as may run. */
export const MAX_WAITING = 100;
/** A counter that takes longer than this is unreachable. */
const CLAIM_TIMEOUT_MS = 5_000;
/** How often waiting requests check whether another node has freed a slot. */
const POLL_MS = 50;
const RETRY_MS = 1_000;

export function createAccountQueue(
  subject: string,
  { counter, waitMs, refusal, onEmpty }: AccountQueueOptions,
): AccountQueue {
  const waiting = new Set<Waiter>();
  let rules: LimitRules = { concurrency: 0, requestsPerMinute: 0 };
  let held = 0;
  /** What the counter has on record as held. Undefined: not known. */
  let recorded: number | undefined = 0;
  let claimAgain = false;
  let releaseCallbacks: (() => void)[] = [];
  let claiming: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const isEmpty = (): boolean => held === 0 && recorded === 0 && waiting.size === 0 && claiming === undefined;

  const requestClaim = (): void => {
    claimAgain = true;
    claiming ??= claimWhileNeeded().finally(() => {
      claiming = undefined;
      // A request may have come after the last claim and before this.
      if (claimAgain && !closed) requestClaim();
      else if (isEmpty()) onEmpty();
    });
  };

  // One claim at a time, so that an older count of this node never overwrites a newer one. Requests that come
  // meanwhile share the next claim.
  const claimWhileNeeded = async (): Promise<void> => {
    clearTimeout(timer);
    let grant: Grant | undefined;
    while (!closed && (claimAgain || recorded !== held)) {
      grant = await claim();
      if (grant === undefined && !claimAgain) break;
    }
    for (const callback of releaseCallbacks.splice(0)) callback();
    if (!closed) scheduleClaim(grant);
  };

  const claim = async (): Promise<Grant | undefined> => {
    claimAgain = false;
    const candidates = [...waiting];
    const callbacks = releaseCallbacks;
    releaseCallbacks = [];
    const before = held;
    try {
      const grant = await counter.claim({ userId: subject, held: before, requested: candidates.length, rules });
      recorded = before + grant.granted;
      admit(candidates, grant);
      return grant;
    } catch (cause) {
      recorded = undefined;
      // Without the counter no request is admitted: a short outage is better than an exceeded limit.
      for (const waiter of candidates) waiter.refuse(unavailable(cause));
      return undefined;
    } finally {
      for (const callback of callbacks) callback();
    }
  };

  const admit = (candidates: readonly Waiter[], grant: Grant): void => {
    // Clients may have left meanwhile; their slots go to the requests behind them, or back to the counter.
    const present = candidates.filter((waiter) => waiting.has(waiter));
    const starting = present.slice(0, grant.granted);
    held += starting.length;
    for (const [index, waiter] of starting.entries()) {
      waiter.start({ ...grant, running: grant.running - grant.granted + index + 1 });
    }
    const now = performance.now();
    for (const waiter of present.slice(grant.granted)) if (waiter.deadline <= now) waiter.refuse(refusal(rules, grant));
  };

  const scheduleClaim = (grant: Grant | undefined): void => {
    const delays: number[] = [];
    if (recorded !== held) delays.push(RETRY_MS);
    if (waiting.size > 0) {
      const now = performance.now();
      for (const waiter of waiting) delays.push(waiter.deadline - now);
      // Slots freed on this node start a claim themselves.
      if (counter.leaseMs !== undefined) delays.push(POLL_MS);
      if (grant?.rate !== undefined && grant.rate.nextMs > 0) delays.push(grant.rate.nextMs);
    }
    if (delays.length === 0) return;
    timer = setTimeout(requestClaim, Math.max(1, Math.min(...delays)));
    timer.unref();
  };

  const wait = (signal: AbortSignal | undefined): Promise<Grant> =>
    new Promise((resolve, reject) => {
      const forget = (): void => {
        waiting.delete(waiter);
        clearTimeout(timeout);
        signal?.removeEventListener("abort", onAbort);
      };
      const waiter: Waiter = {
        deadline: performance.now() + waitMs,
        start(grant) {
          forget();
          resolve(grant);
        },
        refuse(error) {
          forget();
          reject(error);
        },
      };
      const onAbort = (): void => waiter.refuse(signal?.reason);
      const timeout = setTimeout(() => waiter.refuse(unavailable(undefined)), waitMs + CLAIM_TIMEOUT_MS);
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.add(waiter);
    });

  return {
    async acquire(newest, signal) {
      signal?.throwIfAborted();
      if (closed) throw apiError("draining", {}, { retryAfterSeconds: 5 });
      // The newest rules apply to all: a changed plan takes effect with the next request.
      rules = newest;
      if (waiting.size >= rules.concurrency + MAX_WAITING) {
        throw refusal(rules, { granted: 0, running: rules.concurrency, rate: undefined });
      }
      const started = wait(signal);
      requestClaim();
      return started;
    },
    release() {
      held -= 1;
      if (closed) return Promise.resolve();
      return new Promise((resolve) => {
        releaseCallbacks.push(resolve);
        requestClaim();
      });
    },
    renew() {
      if (held === 0) return;
      recorded = undefined;
      requestClaim();
    },
    get isEmpty() {
      return isEmpty();
    },
    async close() {
      for (const waiter of [...waiting]) waiter.refuse(apiError("draining", {}, { retryAfterSeconds: 5 }));
      await claiming;
      closed = true;
      clearTimeout(timer);
    },
  };
}

function unavailable(cause: unknown) {
  return apiError("unavailable", {}, { retryAfterSeconds: 1, cause });
}
