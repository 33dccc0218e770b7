import { z } from "zod";
import { text } from "../wire/record-fields.ts";
import { KEY_LIMIT_NAMES, type KeyLimitName } from "./key-limits.ts";
import { KEY_SCOPES } from "./key-scopes.ts";

// These check shape only (a wrong type is 422). Which values are allowed is in `account-values.ts`.
const maybe = (description: string) => z.string().optional().meta({ description });

export const signInBody = z.object({ email: text("Any case."), password: text("The password of the account.") });
export const signInLinkBody = z.object({ token: text("What follows `#` in the link.") });
export const passwordBody = z.object({
  new_password: text("8 to 512 characters."),
  current_password: maybe("Needed when there is one, except in a session that was opened by a link."),
});
export const accountChangeBody = z.object({
  nickname: maybe("1 to 100 characters."),
  email: maybe("Another address to sign in with."),
  current_password: maybe("Needed to change the address, as for a new password."),
});
const LIMIT_MEANINGS: Readonly<Record<KeyLimitName, string>> = {
  requests_per_minute: "Requests that may start in a minute.",
  concurrency: "Requests at a time.",
  credits_per_day: "Credits in a day, in UTC.",
  credits_per_month: "Credits in a calendar month, in UTC.",
  credits_total: "Credits in all.",
};
const limit = (name: KeyLimitName) => z.number().nullable().optional().meta({ description: LIMIT_MEANINGS[name] });
/** The limits in a body. Null and left out: there is none. */
export const keyLimitsBody = z
  .object(Object.fromEntries(KEY_LIMIT_NAMES.map((name) => [name, limit(name)])) as KeyLimitShape)
  .meta({ description: "The key's own limits, beside those of its account." });
type KeyLimitShape = Readonly<Record<KeyLimitName, ReturnType<typeof limit>>>;
export const newApiKeyBody = z.object({
  name: text("1 to 100 characters."),
  expires_at: maybe("RFC 3339, in the future. Left out: it does not expire."),
  scopes: z
    .array(z.string())
    .optional()
    .meta({ description: `Any of ${KEY_SCOPES.join(", ")}. Left out: everything that the account may.` }),
  limits: keyLimitsBody.optional(),
});
export const apiKeyChangeBody = z.object({
  name: maybe("1 to 100 characters."),
  limits: keyLimitsBody.nullable().optional().meta({ description: "Replaces all limits of the key. Null: none." }),
});
export const newAccountBody = z.object({
  email: text("The address to sign in with. It must be unique."),
  nickname: maybe("1 to 100 characters. Left out: what stands before the @."),
  role: maybe("`admin` or `member`, the default."),
  plan: maybe("`free` (default), `plus`, `pro` or `unlimited`."),
  password: maybe("8 to 512 characters. Left out: a one-time sign-in link is made."),
});
export const adminChangeBody = z.object({
  email: maybe("Another address to sign in with."),
  nickname: maybe("1 to 100 characters."),
  role: maybe("`admin` or `member`."),
  plan: maybe("`free`, `plus`, `pro` or `unlimited`."),
  password: maybe("A new password. Ends all sessions of the account."),
  disabled: z
    .boolean()
    .optional()
    .meta({ description: "`true` ends all sessions and running requests of the account, and refuses new ones." }),
});
export const userListQuery = z.object({
  page_size: maybe("1 to 100, 10 by default."),
  page_number: maybe("From 1."),
  search: maybe("Part of an e-mail address or a nickname, or the start of an id."),
});
