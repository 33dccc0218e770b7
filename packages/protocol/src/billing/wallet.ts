import { z } from "zod";
import { PLAN_NAMES } from "./plans.ts";

/** The `user_id` in the path of a wallet that means the caller's own. It is the default. */
export const SELF = "self";

/**
 * grant: by an admin, negative to take back · refill: start of a period · expire: unused credits at its end ·
 * reserve: before a request · settle: after it, what was not used · refund: all of it, nothing was delivered ·
 * correct: it was settled by another node while it ran, and has used more or less
 */
export const LEDGER_KINDS = ["grant", "refill", "expire", "reserve", "settle", "refund", "correct"] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** package: refilled each period, spent first · extra: granted, does not expire */
export const LEDGER_BUCKETS = ["package", "extra"] as const;
export type LedgerBucket = (typeof LEDGER_BUCKETS)[number];

const time = () => z.string().meta({ format: "date-time" });
const credits = (description: string) => z.number().int().meta({ description });

const subscriptionFields = {
  provider_subscription_id: z.string().nullable().meta({ description: "The subscription at the payment provider." }),
  provider_price_id: z.string().nullable().meta({ description: "Its price at the payment provider." }),
  billing_period: z.string().nullable().meta({ description: "How often it is paid, such as `month`." }),
  cancel_at_period_end: z.boolean().nullable(),
  cancel_at: time().nullable(),
  scheduled_change: z.record(z.string(), z.unknown()).nullable(),
  last_synced_at: time().nullable().meta({ description: "When the provider last reported." }),
  subscription_currency: z.string().nullable(),
  has_used_trial: z.boolean(),
};

/** The credits of an account, and the end of the period. */
export const packageRecord = z.object({
  _id: z.string(),
  user_id: z.string(),
  type: z.enum(PLAN_NAMES),
  total: credits("Credits that the package held when its period began."),
  balance: credits("What is left of them."),
  created_at: time(),
  updated_at: time(),
  finished_at: time().meta({ description: "When the period ends and the package is refilled." }),
  current_period_end: time()
    .nullable()
    .meta({ description: "The provider's, where there is one; else `finished_at`." }),
  extra_balance: credits("Credits that do not expire. They are spent when the package is empty."),
  ...subscriptionFields,
});
export type PackageRecord = z.infer<typeof packageRecord>;

export const apiCredit = z.object({
  _id: z.string(),
  user_id: z.string(),
  credit: z.string().meta({ description: "All credits that can be spent, package and extra, as a decimal number." }),
  cumulative_top_up: z.string().meta({ description: "All credits ever granted, as a decimal number." }),
  created_at: time(),
  updated_at: time(),
  has_phone_sha256: z.boolean().meta({ description: "Always false: no phone numbers are stored." }),
  has_free_credit: z.boolean().meta({ description: "Whether some of it comes from a free package." }),
});
export type ApiCredit = z.infer<typeof apiCredit>;

export const ledgerEntry = z.object({
  id: z.number().int().meta({ description: "The entries of a wallet are numbered from 1 without a gap." }),
  user_id: z.string(),
  kind: z.enum(LEDGER_KINDS),
  bucket: z.enum(LEDGER_BUCKETS),
  amount: credits("What the bucket gained; negative when it lost."),
  request_id: z.string().meta({ description: "What it was for. A charge's begins with the request's trace id." }),
  at: time(),
  note: z.string().nullable(),
  by: z.string().nullable().meta({ description: "The user who caused it, where it was a person." }),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** The newest entries first. The next page has the entries before the last `id`. */
export const ledgerPage = z.object({ items: z.array(ledgerEntry), has_more: z.boolean() });
export type LedgerPage = z.infer<typeof ledgerPage>;

// Shape only (a wrong type is 422); which values are allowed is checked after that.
export const grantBody = z.object({
  amount: z.number().int().meta({ description: "Credits to give, or to take back when negative. Not 0." }),
  note: z.string().optional().meta({ description: "At most 500 characters." }),
  idempotency_key: z
    .string()
    .optional()
    .meta({ description: "1 to 200 characters. A second grant with the same key is not made." }),
});
export type GrantInput = z.input<typeof grantBody>;

export const grantRecord = z.object({
  entry: ledgerEntry,
  created: z
    .boolean()
    .meta({ description: "False when the key was used before: this is the grant that was made then." }),
  extra_balance: credits("What there is now."),
});
export type GrantRecord = z.infer<typeof grantRecord>;

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();
const text = () =>
  z
    .string()
    .max(500)
    .regex(/^[^\0]*$/, "Expected text without null characters");

export const subscriptionBody = z.object({
  plan: z.string().optional().meta({ description: "Puts the account on a plan. A new one takes effect at once." }),
  provider_subscription_id: maybe(text()),
  provider_price_id: maybe(text()),
  billing_period: maybe(text()),
  current_period_end: maybe(text()),
  cancel_at_period_end: maybe(z.boolean()),
  cancel_at: maybe(text()),
  scheduled_change: maybe(z.record(z.string(), z.unknown())),
  last_synced_at: maybe(text()).meta({ description: "Left out: now." }),
  subscription_currency: maybe(text()),
  has_used_trial: z.boolean().optional().meta({ description: "Left out: stays as it is." }),
});
export type SubscriptionInput = z.input<typeof subscriptionBody>;

export const ledgerQuery = z.object({
  before: z.string().optional().meta({ description: "An `id`: only entries before it." }),
  limit: z.string().optional().meta({ description: "1 to 200, 50 by default." }),
});
