import { apiError, checkEmail, checkName } from "@parlance/protocol";
import { isoTime } from "../../lib/time.ts";
import type { Store } from "../../stores/store.ts";
import type { UserRecord } from "../../stores/users.ts";
import type { Accounts } from "./accounts.ts";
import type { OidcFlow, OidcPerson, OidcProvider } from "./oidc-provider.ts";
import type { OpenSession, Origin, Sessions } from "./sessions.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export interface OidcSignIn {
  readonly start: OidcProvider["start"];
  /** Throws the error that says why the person gets no session. */
  finish(callback: URL, flow: OidcFlow, origin: Origin): Promise<OpenSession>;
}

export interface OidcSignInParts {
  readonly provider: OidcProvider;
  readonly store: Pick<Store, "users" | "oidcIdentities">;
  readonly accounts: Pick<Accounts, "create" | "find">;
  readonly sessions: Sessions;
  readonly throttle: SignInThrottle;
  /** In lower case; undefined: all. */
  readonly domains: readonly string[] | undefined;
  readonly autoCreate: boolean;
  readonly now?: () => number;
}

/** Signs in with the account of a person at the provider. */
export function createOidcSignIn(parts: OidcSignInParts): OidcSignIn {
  const { provider, store, accounts, sessions, throttle, domains, autoCreate, now = Date.now } = parts;

  const assertAllowed = ({ email }: OidcPerson): void => {
    if (domains === undefined) return;
    const domain = email?.slice(email.lastIndexOf("@") + 1).toLowerCase();
    if (domain === undefined || !domains.includes(domain)) throw apiError("oidc_domain", {});
  };
  /** The account with the verified address of the person, or a new one. */
  const findOrCreate = async ({ email: given, name }: OidcPerson): Promise<UserRecord> => {
    // An address that the provider has not verified could be that of another person.
    if (given === undefined) throw apiError("oidc_email", {});
    const email = checkEmail(given);
    const known = await store.users.findByEmail(email);
    if (known !== undefined) return known;
    if (!autoCreate) throw apiError("oidc_no_account", {});
    return accounts.create({ email, nickname: nicknameOf(name, email), role: "member", plan: "free" });
  };

  return {
    start: provider.start,
    async finish(callback, flow, origin) {
      // Every attempt makes the server call the provider.
      const attempt = await throttle.attempt(`oidc:${origin.address}`, origin.address);
      const person = await provider.finish(callback, flow);
      assertAllowed(person);
      const identity = { issuer: person.issuer, subject: person.subject };
      const linked = await store.oidcIdentities.findUser(identity);
      const user = linked === undefined ? await findOrCreate(person) : await accounts.find(linked);
      if (user.disabledAt !== null) throw apiError("account_disabled", {});
      if (linked === undefined) await store.oidcIdentities.link(identity, user.id, isoTime(now()));
      await attempt.succeeded();
      return sessions.open(user.id, "oidc", origin);
    },
  };
}

function nicknameOf(name: string | undefined, email: string): string {
  try {
    return checkName((name ?? "").slice(0, 100), "name");
  } catch {
    return email.split("@", 1)[0] ?? email;
  }
}
