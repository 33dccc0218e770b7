import { isIPv6 } from "node:net";
import { apiError } from "@parlance/protocol";
import type { Attempts } from "../../stores/sign-in-attempts.ts";
import type { Records } from "../../stores/store.ts";
import { hashKey, isoTime } from "./keys.ts";

/** A try that is counted before its outcome is known, so that many at once do not slip past the count. */
export interface Attempt {
  /** It was right: it does not count. */
  succeeded(): Promise<void>;
}

export interface SignInThrottle {
  /** Throws the 429 that says when the next try is allowed. */
  attempt(account: string, address: string): Promise<Attempt>;
}

interface Rule {
  /** Tries without a wait. */
  readonly free: number;
  readonly longestMs: number;
}

const FIRST_WAIT_MS = 1000;
/** The wait is short enough that nobody can keep the owner out for long, and long enough against a list of passwords. */
const ACCOUNT: Rule = { free: 5, longestMs: 60_000 };
const ADDRESS: Rule = { free: 20, longestMs: 15 * 60_000 };
/** Without a try for this long, all is forgotten. */
const FORGET_MS = 60 * 60_000;
const SWEEP_MS = 60_000;
const MOST_RACES = 8;

/** The counts are in the database: they hold for all nodes together and over a restart. */
export function createSignInThrottle(
  { signInAttempts: store }: Pick<Records, "signInAttempts">,
  now: () => number = Date.now,
): SignInThrottle {
  let sweptAt = Number.NEGATIVE_INFINITY;
  const sweep = async (): Promise<void> => {
    if (now() - sweptAt < SWEEP_MS) return;
    sweptAt = now();
    await store.deleteOlderThan(isoTime(now() - FORGET_MS));
  };

  /** Counts one more try. The result takes it back. */
  const count = async (subject: string, rule: Rule): Promise<() => Promise<void>> => {
    for (let race = 0; race < MOST_RACES; race += 1) {
      const found = await store.find(subject);
      const recent = found !== undefined && found.lastAt >= isoTime(now() - FORGET_MS) ? found : undefined;
      if (recent !== undefined && recent.blockedUntil > isoTime(now())) throw refusal(recent.blockedUntil, now());
      const next = after(recent?.count ?? 0, rule, now());
      const counted = await (found === undefined
        ? store.insert(subject, next)
        : store.replace(subject, found.count, next));
      if (!counted) continue;
      return async () => {
        if (recent === undefined) await store.delete(subject);
        else await store.replace(subject, next.count, recent);
      };
    }
    throw apiError("too_many_attempts", {}, { retryAfterSeconds: 1 });
  };

  return {
    async attempt(account, address) {
      await sweep();
      const undo = await count(`address:${hashKey(network(address))}`, ADDRESS);
      // Of one that is refused here, the try from the address still counts: that is how a list of accounts is tried.
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

function after(count: number, { free, longestMs }: Rule, now: number): Attempts {
  const over = count + 1 - free;
  // The exponent is bounded so that it stays a number.
  const wait = over < 0 ? 0 : Math.min(longestMs, FIRST_WAIT_MS * 2 ** Math.min(over, 30));
  return { count: count + 1, lastAt: isoTime(now), blockedUntil: isoTime(now + wait) };
}

function refusal(blockedUntil: string, now: number) {
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(blockedUntil) - now) / 1000));
  return apiError("too_many_attempts", {}, { retryAfterSeconds });
}

/** Whoever has one IPv6 address has a whole network of them. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.split("%", 1)[0] ?? "";
  if (plain.toLowerCase().startsWith("::ffff:") && plain.includes(".")) return plain.slice(7);
  const [head = "", tail] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
