import { apiError } from "@parlance/protocol";
import { networkOf } from "../../lib/network-of.ts";
import { isoTime } from "../../lib/time.ts";
import type { Attempts } from "../../stores/sign-in-attempts.ts";
import type { Records } from "../../stores/store.ts";
import { hashKey } from "./keys.ts";

/** An attempt is counted before its outcome is known, so that concurrent attempts cannot bypass the limit. */
export interface Attempt {
  /** The sign-in succeeded: it is not counted, and the failures of this account are forgotten, not those of the address. */
  succeeded(): Promise<void>;
}

export interface SignInThrottle {
  /** Throws the 429 with the time to retry after. */
  attempt(account: string, address: string): Promise<Attempt>;
}

interface Rule {
  /** Attempts without a delay. */
  readonly free: number;
  readonly maxDelayMs: number;
}

const FIRST_DELAY_MS = 1000;
/** Short enough that an attacker cannot lock the owner out for long, long enough against guessing from a list. */
const ACCOUNT: Rule = { free: 5, maxDelayMs: 60_000 };
const ADDRESS: Rule = { free: 20, maxDelayMs: 15 * 60_000 };
/** Counts are deleted after this long without an attempt. */
const FORGET_MS = 60 * 60_000;
const SWEEP_MS = 60_000;
const MAX_RETRIES = 8;

/** The counts are in the database, so they hold for all nodes and across restarts. */
export function createSignInThrottle(
  { signInAttempts: store }: Pick<Records, "signInAttempts">,
  now: () => number = Date.now,
): SignInThrottle {
  let sweptAt = Number.NEGATIVE_INFINITY;
  const sweep = async (): Promise<void> => {
    if (Math.abs(now() - sweptAt) < SWEEP_MS) return;
    sweptAt = now();
    await store.deleteOlderThan(isoTime(now() - FORGET_MS));
  };

  /** Counts one more attempt. The result undoes it. */
  const count = async (subject: string, rule: Rule): Promise<() => Promise<void>> => {
    for (let retry = 0; retry < MAX_RETRIES; retry += 1) {
      const found = await store.find(subject);
      const recent = found !== undefined && found.lastAt >= isoTime(now() - FORGET_MS) ? found : undefined;
      if (recent !== undefined && isBlocked(recent, rule, now())) throw refusal(recent.blockedUntil, now());
      const next = after(recent?.count ?? 0, rule, now());
      const counted = await (found === undefined
        ? store.insert(subject, next)
        : store.replace(subject, found.count, next));
      if (!counted) continue;
      // Attempts that were counted meanwhile stay counted.
      return () => store.undo(subject, next.blockedUntil, recent?.blockedUntil ?? next.lastAt);
    }
    throw apiError("too_many_attempts", {}, { retryAfterSeconds: 1 });
  };

  return {
    async attempt(account, address) {
      await sweep();
      const undo = await count(`address:${hashKey(networkOf(address))}`, ADDRESS);
      // If the account is blocked, the attempt still counts for the address, which may be trying many accounts.
      const subject = `account:${hashKey(account)}`;
      await count(subject, ACCOUNT);
      return {
        async succeeded() {
          await Promise.all([store.delete(subject), undo()]);
        },
      };
    },
  };
}

function after(count: number, { free, maxDelayMs }: Rule, now: number): Attempts {
  const over = count + 1 - free;
  // The exponent is bounded, so that the delay stays finite.
  const wait = over < 0 ? 0 : Math.min(maxDelayMs, FIRST_DELAY_MS * 2 ** Math.min(over, 30));
  return { count: count + 1, lastAt: isoTime(now), blockedUntil: isoTime(now + wait) };
}

/** A block that is longer than any was written before the clock was set back: it would last as long as that. */
function isBlocked({ blockedUntil }: Attempts, { maxDelayMs }: Rule, now: number): boolean {
  return blockedUntil > isoTime(now) && blockedUntil <= isoTime(now + maxDelayMs);
}

function refusal(blockedUntil: string, now: number) {
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(blockedUntil) - now) / 1000));
  return apiError("too_many_attempts", {}, { retryAfterSeconds });
}
