import { apiError } from "@parlance/protocol";
import type { SessionRecord } from "../../stores/sessions.ts";
import type { Accounts } from "./accounts.ts";
import type { Caller } from "./keys.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export interface Proof {
  /** Throws unless it is the owner who asks, and not somebody who found the session open or the key lying about. */
  demand(
    caller: Caller & { readonly session?: SessionRecord | undefined },
    password: string | undefined,
    address: string,
  ): Promise<void>;
}

/** A link proves as much as a password does, but only for so long. */
const LINK_PROVES_MS = 60 * 60_000;

/** What it takes to change what one signs in with. */
export function createProof(
  parts: { readonly accounts: Accounts; readonly throttle: SignInThrottle },
  now: () => number = Date.now,
): Proof {
  const isProven = (session: SessionRecord | undefined): boolean =>
    session?.openedBy === "link" && Date.parse(session.createdAt) > now() - LINK_PROVES_MS;
  return {
    async demand({ userId, session }, password, address) {
      if (isProven(session)) return;
      if (password === undefined) throw refused("it was not given");
      // Otherwise this would be the place to guess at it.
      const attempt = await parts.throttle.attempt(userId, address);
      if (!(await parts.accounts.isPassword(userId, password))) throw refused("it is not the password of the account");
      await attempt.succeeded();
    },
  };
}

function refused(why: string) {
  const allowed = `${why}; a new sign-in link, opened less than an hour ago, does instead`;
  return apiError("invalid_value", { field: "current_password", value: "the password", allowed });
}
