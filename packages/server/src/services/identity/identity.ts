import type { Config } from "../../config/config.ts";
import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { createDisabledAccountWatcher, type DisabledAccountWatcher } from "./disabled-account-watcher.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createOidcProvider } from "./oidc-provider.ts";
import { createOidcSignIn, type OidcSignIn, type OidcSignInParts } from "./oidc-sign-in.ts";
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
  /** Undefined: there is no sign-in with a provider. */
  readonly oidc: OidcSignIn | undefined;
}

export interface IdentityOptions {
  /** How often the database is queried for accounts that another process has disabled. */
  readonly pollMs?: number | undefined;
  readonly oidc?: Pick<Config, "oidcIssuer" | "oidcClientId" | "oidcClientSecret" | "oidcDomains" | "oidcAutoCreate">;
}

type IdentityLog = LogFor<"last-use.write-failed" | "disabled-accounts.check-failed">;

export function createIdentity(store: Store, log: IdentityLog, { pollMs, oidc }: IdentityOptions = {}): Identity {
  const notWritten = (of: string) => (err: unknown) => logEvent(log, "last-use.write-failed", { err, of });
  const keys = createKeys(store, Date.now, notWritten("key"));
  const sessions = createSessions(store, Date.now, notWritten("session"));
  const passwords = createPasswords();
  const throttle = createSignInThrottle(store);
  const disabledAccounts = createDisabledAccountWatcher(store.users, {
    onFault: (err) => logEvent(log, "disabled-accounts.check-failed", { err }),
    ...(pollMs === undefined ? {} : { pollMs }),
  });
  const accounts = createAccounts({ store, passwords, onDisabled: disabledAccounts.abort });
  return {
    keys,
    sessions,
    throttle,
    disabledAccounts,
    signIn: createSignIn({ store, sessions, passwords, throttle }),
    accounts,
    oidc: oidc && oidcOf(oidc, { store, accounts, sessions, throttle }),
  };
}

function oidcOf(
  { oidcIssuer, oidcClientId, oidcClientSecret, oidcDomains, oidcAutoCreate }: NonNullable<IdentityOptions["oidc"]>,
  parts: Pick<OidcSignInParts, "store" | "accounts" | "sessions" | "throttle">,
): OidcSignIn | undefined {
  if (oidcIssuer === undefined || oidcClientId === undefined) return undefined;
  const client = { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret };
  const rules = { domains: oidcDomains, autoCreate: oidcAutoCreate === "on" };
  return createOidcSignIn({ ...parts, ...rules, provider: createOidcProvider(client) });
}
