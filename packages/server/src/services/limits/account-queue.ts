import { apiError } from "@parlance/protocol";
import type { Grant, LimitRules, LimitsBook } from "./quota-counter.ts";
import { refusal } from "./refusal.ts";

/** One account's requests on this node: those that run, and those that wait for a place, first come first served. */
export interface Account {
  /** Resolves when the request may start. Throws the 429 that says when to come back. */
  enter(rules: LimitRules, signal: AbortSignal | undefined): Promise<Grant>;
  /** One that ran is over. Resolves when the other nodes can know, or cannot be told now; never rejects. */
  leave(): Promise<void>;
  /** Says again how many run here, before what was said is taken for old. */
  renew(): void;
  /** Whether there is nothing to remember. */
  readonly atRest: boolean;
  /** Sends away whoever waits. Resolves when nothing is being written any more; from then on nothing is. */
  close(): Promise<void>;
}

export interface AccountOptions {
  readonly book: LimitsBook;
  /** How long a request waits for a place before it is refused. */
  readonly waitMs: number;
  readonly onRest: () => void;
}

interface Waiter {
  /** By the clock of `performance.now`. */
  readonly until: number;
  readonly start: (grant: Grant) => void;
  readonly refuse: (error: unknown) => void;
}

/** How many may wait, beyond as many as may run. */
const MAX_PENDING_SIZE = 100;
/** A book that takes longer than this cannot be reached. */
const BOOK_MS = 5_000;
/** How often those who wait look whether another node has a place for them. */
const LOOK_MS = 50;
const RETRY_MS = 1_000;

export function createAccount(userId: string, { book, waitMs, onRest }: AccountOptions): Account {
  const waiting = new Set<Waiter>();
  let rules: LimitRules = { concurrency: 0, requestsPerMinute: 0 };
  let held = 0;
  /** What the book believes that is held. Undefined: not known. */
  let told: number | undefined = 0;
  let asksAgain = false;
  let leavers: (() => void)[] = [];
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const isAtRest = (): boolean => held === 0 && told === 0 && waiting.size === 0 && working === undefined;

  const ask = (): void => {
    asksAgain = true;
    working ??= work().finally(() => {
      working = undefined;
      // Somebody may have asked after the last look and before this.
      if (asksAgain && !closed) ask();
      else if (isAtRest()) onRest();
    });
  };

  // One claim at a time, so that what the node says of itself cannot be overtaken by what it said before. Those
  // who come meanwhile are asked for together in the next one.
  const work = async (): Promise<void> => {
    clearTimeout(timer);
    let grant: Grant | undefined;
    while (!closed && (asksAgain || told !== held)) {
      grant = await claim();
      if (grant === undefined && !asksAgain) break;
    }
    for (const tell of leavers.splice(0)) tell();
    if (!closed) lookLater(grant);
  };

  const claim = async (): Promise<Grant | undefined> => {
    asksAgain = false;
    const asking = [...waiting];
    const leaving = leavers;
    leavers = [];
    const before = held;
    try {
      const grant = await book.claim({ userId, held: before, wanted: asking.length, rules });
      told = before + grant.granted;
      admit(asking, grant);
      return grant;
    } catch (cause) {
      told = undefined;
      // Without the book nobody can be let in: what it guards against is worse than a short pause.
      for (const waiter of asking) waiter.refuse(unavailable(cause));
      return undefined;
    } finally {
      for (const tell of leaving) tell();
    }
  };

  const admit = (asking: readonly Waiter[], grant: Grant): void => {
    // Some may have gone meanwhile; their places go to those behind them, or back.
    const present = asking.filter((waiter) => waiting.has(waiter));
    const starting = present.slice(0, grant.granted);
    held += starting.length;
    for (const [index, waiter] of starting.entries()) {
      waiter.start({ ...grant, running: grant.running - grant.granted + index + 1 });
    }
    const now = performance.now();
    for (const waiter of present.slice(grant.granted)) if (waiter.until <= now) waiter.refuse(refusal(rules, grant));
  };

  const lookLater = (grant: Grant | undefined): void => {
    const delays: number[] = [];
    if (told !== held) delays.push(RETRY_MS);
    if (waiting.size > 0) {
      const now = performance.now();
      for (const waiter of waiting) delays.push(waiter.until - now);
      // Places of this node are handed over as they are given back.
      if (book.leaseMs !== undefined) delays.push(LOOK_MS);
      if (grant?.rate !== undefined && grant.rate.nextMs > 0) delays.push(grant.rate.nextMs);
    }
    if (delays.length === 0) return;
    timer = setTimeout(ask, Math.max(1, Math.min(...delays)));
    timer.unref();
  };

  const wait = (signal: AbortSignal | undefined): Promise<Grant> =>
    new Promise((resolve, reject) => {
      const forget = (): void => {
        waiting.delete(waiter);
        clearTimeout(deadline);
        signal?.removeEventListener("abort", onAbort);
      };
      const waiter: Waiter = {
        until: performance.now() + waitMs,
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
      const deadline = setTimeout(() => waiter.refuse(unavailable(undefined)), waitMs + BOOK_MS);
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.add(waiter);
    });

  return {
    async enter(newest, signal) {
      signal?.throwIfAborted();
      if (closed) throw apiError("draining", {}, { retryAfterSeconds: 5 });
      // What holds for the newest request holds for all: a plan that was changed counts from the next request on.
      rules = newest;
      if (waiting.size >= rules.concurrency + MAX_PENDING_SIZE) {
        throw refusal(rules, { granted: 0, running: rules.concurrency, rate: undefined });
      }
      const started = wait(signal);
      ask();
      return started;
    },
    leave() {
      held -= 1;
      if (closed) return Promise.resolve();
      return new Promise((resolve) => {
        leavers.push(resolve);
        ask();
      });
    },
    renew() {
      if (held === 0) return;
      told = undefined;
      ask();
    },
    get atRest() {
      return isAtRest();
    },
    async close() {
      for (const waiter of [...waiting]) waiter.refuse(apiError("draining", {}, { retryAfterSeconds: 5 }));
      await working;
      closed = true;
      clearTimeout(timer);
    },
  };
}

function unavailable(cause: unknown) {
  return apiError("unavailable", {}, { retryAfterSeconds: 1, cause });
}
