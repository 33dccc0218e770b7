import { z } from "zod";
import { PLAN_NAMES } from "../billing/plans.ts";
import { keyLimitsBody } from "./account-bodies.ts";
import { KEY_SCOPES } from "./key-scopes.ts";
import { ROLES } from "./roles.ts";

const time = () => z.string().meta({ format: "date-time" });

/** An account, for its owner and for admins. */
export const accountRecord = z.object({
  _id: z.string().meta({ description: "32 hex digits." }),
  email: z.string().nullable(),
  nickname: z.string(),
  role: z.enum(ROLES),
  plan: z.enum(PLAN_NAMES),
  has_password: z.boolean().meta({ description: "Whether it can sign in with a password." }),
  created_at: time(),
  updated_at: time(),
  disabled_at: time().nullable().meta({ description: "If set, the account can do nothing." }),
});
export type AccountRecord = z.infer<typeof accountRecord>;

export const apiKeyRecord = z.object({
  _id: z.string(),
  name: z.string(),
  prefix: z.string().meta({ description: "The first characters of the secret, to recognize it by." }),
  created_at: time(),
  last_used_at: time().nullable().meta({ description: "Accurate to a minute." }),
  expires_at: time().nullable(),
  revoked_at: time().nullable(),
  scopes: z
    .array(z.enum(KEY_SCOPES))
    .nullable()
    .meta({ description: "What the key may be used for; null: everything that its account may." }),
  limits: keyLimitsBody.nullable().meta({ description: "The key's own limits; null: only those of its account." }),
  spent: z.object({ day: z.number().int(), month: z.number().int(), total: z.number().int() }).meta({
    description: "The credits that the key has used, with those reserved: today, this month (UTC), and in all.",
  }),
});
export type ApiKeyInfo = z.infer<typeof apiKeyRecord>;

export const newApiKeyRecord = apiKeyRecord.extend({
  secret: z.string().meta({ description: "The key itself. It is only shown once." }),
});
export type NewApiKeyInfo = z.infer<typeof newApiKeyRecord>;

export const sessionRecord = z.object({
  _id: z.string(),
  current: z.boolean().meta({ description: "Whether this request uses it." }),
  created_at: time(),
  last_seen_at: time().meta({ description: "Accurate to a few minutes." }),
  expires_at: time(),
  address: z.string(),
  user_agent: z.string(),
});
export type SessionInfo = z.infer<typeof sessionRecord>;

export const signInLinkRecord = z.object({ url: z.string(), expires_at: time() });
export type SignInLinkInfo = z.infer<typeof signInLinkRecord>;

export const signInOptions = z.object({
  oidc: z
    .object({ name: z.string(), path: z.string().meta({ description: "Where a browser starts." }) })
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
  return z.object({ total: z.number().int(), items: z.array(item), has_more: z.boolean() });
}
export interface PageOf<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  readonly has_more: boolean;
}
