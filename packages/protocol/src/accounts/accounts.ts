import { z } from "zod";
import { PLAN_NAMES } from "../billing/plans.ts";
import { flag, integer, text, textOrNull, time, timeOrNull } from "../wire/record-fields.ts";
import { keyLimitsBody } from "./account-bodies.ts";
import { KEY_SCOPES } from "./key-scopes.ts";
import { ROLES } from "./roles.ts";

/** An account, for its owner and for admins. */
export const accountRecord = z.object({
  _id: text("32 hex digits."),
  email: textOrNull("The address to sign in with; null: it has none."),
  nickname: text("The display name."),
  role: z.enum(ROLES).meta({ description: "`admin` may administer all accounts." }),
  plan: z.enum(PLAN_NAMES).meta({ description: "Sets the monthly credits and the limits." }),
  has_password: flag("Whether it can sign in with a password."),
  created_at: time("When it was made."),
  updated_at: time("When it was last changed."),
  disabled_at: timeOrNull("If set, the account can do nothing."),
});
export type AccountRecord = z.infer<typeof accountRecord>;

export const apiKeyRecord = z.object({
  _id: text("32 hex digits."),
  name: text("What its owner calls it."),
  prefix: text("The first characters of the secret, to recognize it by."),
  created_at: time("When it was made."),
  last_used_at: timeOrNull("Accurate to a minute; null: never."),
  expires_at: timeOrNull("When it stops working; null: never."),
  revoked_at: timeOrNull("When it was revoked; null: it was not."),
  scopes: z
    .array(z.enum(KEY_SCOPES))
    .nullable()
    .meta({ description: "What the key may be used for; null: everything that its account may." }),
  limits: keyLimitsBody.nullable().meta({ description: "The key's own limits; null: only those of its account." }),
  spent: z
    .object({ day: integer("Today, in UTC."), month: integer("This month, in UTC."), total: integer("In all.") })
    .meta({ description: "The credits that the key has used, with those reserved." }),
});
export type ApiKeyInfo = z.infer<typeof apiKeyRecord>;

export const newApiKeyRecord = apiKeyRecord.extend({
  secret: text("The key itself. It is only shown once."),
});
export type NewApiKeyInfo = z.infer<typeof newApiKeyRecord>;

export const sessionRecord = z.object({
  _id: text("32 hex digits."),
  current: flag("Whether this request uses it."),
  created_at: time("When the browser signed in."),
  last_seen_at: time("The last request, accurate to a few minutes."),
  expires_at: time("When it ends."),
  address: text("The IP address that it was opened from."),
  user_agent: text("The browser, as it names itself."),
});
export type SessionInfo = z.infer<typeof sessionRecord>;

export const signInLinkRecord = z.object({
  url: text("Opens a session, once."),
  expires_at: time("When it stops working."),
});
export type SignInLinkInfo = z.infer<typeof signInLinkRecord>;

export const signInOptions = z.object({
  oidc: z
    .object({ name: text("The name of the provider."), path: text("Where a browser starts.") })
    .nullable()
    .meta({ description: "The sign-in with a provider; null: there is none." }),
});
export type SignInOptions = z.infer<typeof signInOptions>;

export const newAccountRecord = accountRecord.extend({
  sign_in_link: signInLinkRecord.nullable().meta({ description: "Null when a password was set." }),
});
export type NewAccountRecord = z.infer<typeof newAccountRecord>;

/** The page of a list, in a query. */
export const pageQuery = {
  page_size: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ default: 20, description: "Entries in a page." }),
  page_number: z.coerce.number().int().min(1).max(1_000_000).optional().meta({ default: 1, description: "From 1." }),
};

/** A page of a list. `total` counts all pages. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    total: integer("Entries of all pages."),
    items: z.array(item).meta({ description: "The entries of this page." }),
    has_more: flag("Whether there is another page."),
  });
}
export interface PageOf<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  readonly has_more: boolean;
}
