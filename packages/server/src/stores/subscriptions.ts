import { isRecord } from "@parlance/protocol";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";

/** The subscription of an account at a payment provider. Stored and shown only; nothing depends on it. */
export interface SubscriptionRecord {
  readonly userId: string;
  readonly providerSubscriptionId: string | null;
  readonly providerPriceId: string | null;
  readonly billingPeriod: string | null;
  readonly currentPeriodEnd: string | null;
  readonly cancelAtPeriodEnd: boolean | null;
  readonly cancelAt: string | null;
  readonly scheduledChange: Readonly<Record<string, unknown>> | null;
  readonly lastSyncedAt: string | null;
  readonly subscriptionCurrency: string | null;
  readonly hasUsedTrial: boolean;
}

export interface SubscriptionStore {
  find(userId: string): Promise<SubscriptionRecord | undefined>;
  put(subscription: SubscriptionRecord): Promise<void>;
}

export function createSubscriptions(db: Kysely<Tables>): SubscriptionStore {
  return {
    async find(userId) {
      const row = await db.selectFrom("subscriptions").selectAll().where("user_id", "=", userId).executeTakeFirst();
      return row && toSubscription(row);
    },
    async put(subscription) {
      const { user_id, ...rest } = toRow(subscription);
      await db
        .insertInto("subscriptions")
        .values({ user_id, ...rest })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(rest))
        .execute();
    },
  };
}

function toRow(subscription: SubscriptionRecord): Selectable<Tables["subscriptions"]> {
  const { cancelAtPeriodEnd: ends, scheduledChange: change } = subscription;
  return {
    user_id: subscription.userId,
    provider_subscription_id: subscription.providerSubscriptionId,
    provider_price_id: subscription.providerPriceId,
    billing_period: subscription.billingPeriod,
    current_period_end: subscription.currentPeriodEnd,
    cancel_at_period_end: ends === null ? null : Number(ends),
    cancel_at: subscription.cancelAt,
    scheduled_change: change === null ? null : JSON.stringify(change),
    last_synced_at: subscription.lastSyncedAt,
    subscription_currency: subscription.subscriptionCurrency,
    has_used_trial: Number(subscription.hasUsedTrial),
  };
}

function toSubscription(row: Selectable<Tables["subscriptions"]>): SubscriptionRecord {
  const change: unknown = row.scheduled_change === null ? null : JSON.parse(row.scheduled_change);
  return {
    userId: row.user_id,
    providerSubscriptionId: row.provider_subscription_id,
    providerPriceId: row.provider_price_id,
    billingPeriod: row.billing_period,
    currentPeriodEnd: row.current_period_end,
    cancelAtPeriodEnd: row.cancel_at_period_end === null ? null : row.cancel_at_period_end !== 0,
    cancelAt: row.cancel_at,
    scheduledChange: isRecord(change) ? change : null,
    lastSyncedAt: row.last_synced_at,
    subscriptionCurrency: row.subscription_currency,
    hasUsedTrial: row.has_used_trial !== 0,
  };
}
