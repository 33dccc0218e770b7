import type { Store } from "../../stores/store.ts";
import type { Log } from "../../telemetry/log.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createPasswords } from "./passwords.ts";
import { createPresence, type Presence } from "./presence.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";
import { createSignInThrottle, type SignInThrottle } from "./sign-in-throttle.ts";

/** All that has to do with who somebody is. */
export interface Identity {
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly throttle: SignInThrottle;
  readonly accounts: Accounts;
  readonly presence: Presence;
}

export interface IdentityOptions {
  /** How often the database is asked whether somebody who is here was disabled elsewhere. */
  readonly pollMs?: number | undefined;
}

export function createIdentity(store: Store, log: Log, { pollMs }: IdentityOptions = {}): Identity {
  const notWritten = (what: string) => (err: unknown) => log.warn({ err }, `the last-used time of a ${what} was lost`);
  const keys = createKeys(store, Date.now, notWritten("key"));
  const sessions = createSessions(store, Date.now, notWritten("session"));
  const passwords = createPasswords();
  const throttle = createSignInThrottle(store);
  const presence = createPresence(store.users, {
    onFault: (err) => log.warn({ err }, "it could not be seen who was disabled"),
    ...(pollMs === undefined ? {} : { pollMs }),
  });
  return {
    keys,
    sessions,
    throttle,
    presence,
    signIn: createSignIn({ store, sessions, passwords, throttle }),
    accounts: createAccounts({ store, passwords, onDisabled: presence.cut }),
  };
}
