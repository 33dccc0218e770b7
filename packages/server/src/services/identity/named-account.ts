import { apiError } from "@parlance/protocol";
import type { Records } from "../../stores/store.ts";
import type { Accounts } from "./accounts.ts";
import type { Caller } from "./keys.ts";

/** Stands for the first admin, whose account may have no e-mail address. */
const FIRST_ADMIN = "admin";

/** The caller of requests without a key: the account that the operator has named. Throws when it cannot be used. */
export async function callerByName(
  name: string,
  accounts: Pick<Accounts, "search">,
  users: Pick<Records["users"], "findFirstAdmin">,
): Promise<Caller> {
  const user = name.toLowerCase() === FIRST_ADMIN ? await users.findFirstAdmin() : await accounts.search(name);
  if (user === undefined) throw apiError("unknown_user", {});
  if (user.disabledAt !== null) throw apiError("account_disabled", {});
  return { userId: user.id, keyId: undefined, role: user.role, plan: user.plan };
}
