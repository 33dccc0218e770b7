import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { createDisabledAccountWatcher, type DisabledAccountWatcher } from "./disabled-account-watcher.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createPasswords } from "./passwords.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";
import { createSignInThrottle, type SignInThrottle } from "./sign-in-throttle.ts";

/** Accounts, keys, sessions and sign-in. */
export interface Identity {
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly throttle: SignInThrottle;
  readonly accounts: Accounts;
  readonly disabledAccounts: DisabledAccountWatcher;
}

export interface IdentityOptions {
  /** How often the database is queried for accounts that another process has disabled. */
  readonly pollMs?: number | undefined;
}

type IdentityLog = LogFor<"last-use.write-failed" | "disabled-accounts.check-failed">;

export function createIdentity(store: Store, log: IdentityLog, { pollMs }: IdentityOptions = {}): Identity {
  const notWritten = (of: string) => (err: unknown) => logEvent(log, "last-use.write-failed", { err, of });
  const keys = createKeys(store, Date.now, notWritten("key"));
  const sessions = createSessions(store, Date.now, notWritten("session"));
  const passwords = createPasswords();
  const throttle = createSignInThrottle(store);
  const disabledAccounts = createDisabledAccountWatcher(store.users, {
    onFault: (err) => logEvent(log, "disabled-accounts.check-failed", { err }),
    ...(pollMs === undefined ? {} : { pollMs }),
  });
  return {
    keys,
    sessions,
    throttle,
    disabledAccounts,
    signIn: createSignIn({ store, sessions, passwords, throttle }),
    accounts: createAccounts({ store, passwords, onDisabled: disabledAccounts.abort }),
  };
}
