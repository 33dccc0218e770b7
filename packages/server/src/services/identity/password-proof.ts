import { apiError } from "@parlance/protocol";
import type { SessionRecord } from "../../stores/sessions.ts";
import type { Accounts } from "./accounts.ts";
import type { Caller } from "./keys.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export interface PasswordProof {
  /** Throws unless the caller proves to be the owner, since a session may be left open and a key may leak. */
  require(
    caller: Caller & { readonly session?: SessionRecord | undefined },
    password: string | undefined,
    address: string,
  ): Promise<void>;
}

/** A session that was opened by a sign-in link or with a provider needs no password for this long. */
const LINK_VALID_MS = 60 * 60_000;

/** Required before the password or e-mail address of an account is changed. */
export function createPasswordProof(
  parts: { readonly accounts: Accounts; readonly throttle: SignInThrottle },
  now: () => number = Date.now,
): PasswordProof {
  const isProven = (session: SessionRecord | undefined): boolean =>
    (session?.openedBy === "link" || session?.openedBy === "oidc") &&
    Date.parse(session.createdAt) > now() - LINK_VALID_MS;
  return {
    async require({ userId, session }, password, address) {
      if (isProven(session)) return;
      if (password === undefined) throw refused("it was not given");
      // The same count as for sign-ins, so that the two together allow no more guesses.
      const { email } = await parts.accounts.find(userId);
      const attempt = await parts.throttle.attempt(email ?? userId, address);
      if (!(await parts.accounts.isPassword(userId, password))) throw refused("it is not the password of the account");
      await attempt.succeeded();
    },
  };
}

function refused(why: string) {
  const allowed = `${why}; a new sign-in link, opened less than an hour ago, does instead`;
  return apiError("invalid_value", { field: "current_password", value: "the password", allowed });
}
