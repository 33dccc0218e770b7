import { apiError } from "@parlance/protocol";
import { isoTime } from "../../lib/time.ts";
import type { Store } from "../../stores/store.ts";
import type { UserRecord } from "../../stores/users.ts";
import { hashKey } from "./keys.ts";
import type { Passwords } from "./passwords.ts";
import type { OpenSession, Origin, Sessions } from "./sessions.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export interface SignIn {
  /** Throws the 401 or 429. An unknown address takes the same time as a wrong password. */
  withPassword(email: string, password: string, origin: Origin): Promise<OpenSession>;
  /** A link works once. */
  withLink(token: string, origin: Origin): Promise<OpenSession>;
}

export interface SignInParts {
  readonly store: Pick<Store, "users" | "signInLinks" | "transaction">;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly now?: () => number;
}

export function createSignIn({ store, sessions, passwords, throttle, now = Date.now }: SignInParts): SignIn {
  return {
    async withPassword(given, password, origin) {
      const email = given.trim().toLowerCase();
      const attempt = await throttle.attempt(email, origin.address);
      // An invalid address is looked up as an unknown one: same time, and no control characters reach the database.
      const user = await store.users.findByEmail(/^[^\p{Cc}]{1,254}$/u.test(email) ? email : "");
      const passwordHash = await store.users.passwordHash(user?.id ?? "");
      if (!(await passwords.verify(passwordHash, password)) || user === undefined || passwordHash === null) {
        throw apiError("wrong_credentials", {});
      }
      await attempt.succeeded();
      assertEnabled(user);
      const newHash = passwords.isOutdated(passwordHash) ? await passwords.hash(password) : undefined;
      return store.transaction(async (records) => {
        // The password may have been changed while this one was verified. That ends the sessions that there are, and later ones
        // need the new one.
        await records.users.lock(user.id);
        if ((await records.users.passwordHash(user.id)) !== passwordHash) throw apiError("wrong_credentials", {});
        if (newHash !== undefined) await records.users.setPasswordHash(user.id, newHash, isoTime(now()));
        return sessions.open(user.id, "password", origin, records);
      });
    },
    async withLink(token, origin) {
      const userId = await store.signInLinks.take(hashKey(token), isoTime(now()));
      const user = userId === undefined ? undefined : await store.users.find(userId);
      if (user === undefined) throw apiError("invalid_link", {});
      assertEnabled(user);
      return sessions.open(user.id, "link", origin);
    },
  };
}

function assertEnabled({ disabledAt }: UserRecord): void {
  if (disabledAt !== null) throw apiError("account_disabled", {});
}
