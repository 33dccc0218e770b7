import { z } from "zod";
import { flag, integer, text, textOrNull, time, timeOrNull } from "../wire/record-fields.ts";
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

/** What a payment provider reports. It has no effect here. */
const SUBSCRIPTION = {
  provider_subscription_id: "The subscription at the payment provider.",
  provider_price_id: "Its price at the payment provider.",
  billing_period: "How often it is paid, such as `month`.",
  cancel_at_period_end: "Whether it ends with the period.",
  cancel_at: "When it ends.",
  scheduled_change: "A change to come, as the provider describes it.",
  subscription_currency: "The currency that it is paid in, such as `eur`.",
} as const;

const subscriptionFields = {
  provider_subscription_id: textOrNull(SUBSCRIPTION.provider_subscription_id),
  provider_price_id: textOrNull(SUBSCRIPTION.provider_price_id),
  billing_period: textOrNull(SUBSCRIPTION.billing_period),
  cancel_at_period_end: z.boolean().nullable().meta({ description: SUBSCRIPTION.cancel_at_period_end }),
  cancel_at: timeOrNull(SUBSCRIPTION.cancel_at),
  scheduled_change: z.record(z.string(), z.unknown()).nullable().meta({ description: SUBSCRIPTION.scheduled_change }),
  last_synced_at: timeOrNull("When the provider last reported."),
  subscription_currency: textOrNull(SUBSCRIPTION.subscription_currency),
  has_used_trial: flag("Whether there was a trial period."),
};

/** The credits of an account, and the end of the period. */
export const packageRecord = z.object({
  _id: text("32 hex digits."),
  user_id: text("The id of the account."),
  type: z.enum(PLAN_NAMES).meta({ description: "The plan." }),
  total: integer("Credits that the package held when its period began."),
  balance: integer("What is left of them."),
  created_at: time("When the wallet was made."),
  updated_at: time("When the balance last changed."),
  finished_at: time("When the period ends and the package is refilled."),
  current_period_end: timeOrNull("The provider's, where there is one; else `finished_at`."),
  extra_balance: integer("Credits that do not expire. They are spent when the package is empty."),
  ...subscriptionFields,
});
export type PackageRecord = z.infer<typeof packageRecord>;

/** What requests cost. */
export const priceRecord = z.object({
  text_byte: z.number().min(0).meta({ description: "Credits for each UTF-8 byte of spoken text." }),
  transcribed_second: z.number().min(0).meta({ description: "Credits for each started second of transcribed audio." }),
});
export type PriceRecord = z.infer<typeof priceRecord>;

export const apiCredit = z.object({
  _id: text("32 hex digits."),
  user_id: text("The id of the account."),
  credit: text("All credits that can be spent, package and extra, as a decimal number."),
  cumulative_top_up: text("All credits ever granted, as a decimal number."),
  created_at: time("When the wallet was made."),
  updated_at: time("When the balance last changed."),
  has_phone_sha256: flag("Always false: no phone numbers are stored."),
  has_free_credit: flag("Whether some of it comes from a free package."),
});
export type ApiCredit = z.infer<typeof apiCredit>;

export const ledgerEntry = z.object({
  id: integer("The entries of a wallet are numbered from 1 without a gap."),
  user_id: text("The id of the account."),
  kind: z.enum(LEDGER_KINDS).meta({ description: "Why the bucket changed." }),
  bucket: z
    .enum(LEDGER_BUCKETS)
    .meta({ description: "`package`: refilled each period, spent first; `extra`: granted, does not expire." }),
  amount: integer("What the bucket gained; negative when it lost."),
  request_id: text("What it was for. A charge's begins with the request's trace id."),
  at: time("When it was written."),
  note: textOrNull("Of a grant, what the admin wrote; else the plan or the operation."),
  by: textOrNull("The user who caused it, where it was a person."),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** The newest entries first. The next page has the entries before the last `id`. */
export const ledgerPage = z.object({
  items: z.array(ledgerEntry).meta({ description: "The newest first." }),
  has_more: flag("Whether there are older ones."),
});
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
  entry: ledgerEntry.meta({ description: "The grant in the ledger." }),
  created: flag("False when the key was used before: this is the grant that was made then."),
  extra_balance: integer("What there is now."),
});
export type GrantRecord = z.infer<typeof grantRecord>;

const maybe = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.nullable().optional().meta({ description });
const plainText = z
  .string()
  .max(500)
  .regex(/^[^\0]*$/, "Expected text without null characters");

export const subscriptionBody = z.object({
  plan: z.string().optional().meta({ description: "Puts the account on a plan. A new one takes effect at once." }),
  provider_subscription_id: maybe(plainText, SUBSCRIPTION.provider_subscription_id),
  provider_price_id: maybe(plainText, SUBSCRIPTION.provider_price_id),
  billing_period: maybe(plainText, SUBSCRIPTION.billing_period),
  current_period_end: maybe(plainText, "When the period that is paid for ends."),
  cancel_at_period_end: maybe(z.boolean(), SUBSCRIPTION.cancel_at_period_end),
  cancel_at: maybe(plainText, SUBSCRIPTION.cancel_at),
  scheduled_change: maybe(z.record(z.string(), z.unknown()), SUBSCRIPTION.scheduled_change),
  last_synced_at: maybe(plainText, "Left out: now."),
  subscription_currency: maybe(plainText, SUBSCRIPTION.subscription_currency),
  has_used_trial: z.boolean().optional().meta({ description: "Left out: stays as it is." }),
});
export type SubscriptionInput = z.input<typeof subscriptionBody>;

export const ledgerQuery = z.object({
  before: z.string().optional().meta({ description: "An `id`: only entries before it." }),
  limit: z.string().optional().meta({ description: "1 to 200, 50 by default." }),
});
