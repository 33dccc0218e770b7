import type { ApiCredit, LedgerEntry, PackageRecord } from "@parlance/protocol";
import type { LedgerRecord, WalletView } from "../../services/billing/wallet.ts";

// What callers see of the records: every field by name, so that nothing new gets out by itself.

export function toPackage({ wallet, subscription }: WalletView): PackageRecord {
  return {
    _id: wallet.packageId,
    user_id: wallet.userId,
    type: wallet.plan,
    total: wallet.total,
    balance: wallet.balance,
    created_at: wallet.createdAt,
    updated_at: wallet.updatedAt,
    finished_at: wallet.periodEnd,
    provider_subscription_id: subscription.providerSubscriptionId,
    provider_price_id: subscription.providerPriceId,
    billing_period: subscription.billingPeriod,
    current_period_end: subscription.currentPeriodEnd ?? wallet.periodEnd,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    cancel_at: subscription.cancelAt,
    scheduled_change: subscription.scheduledChange === null ? null : { ...subscription.scheduledChange },
    last_synced_at: subscription.lastSyncedAt,
    subscription_currency: subscription.subscriptionCurrency,
    extra_balance: wallet.extra,
    has_used_trial: subscription.hasUsedTrial,
  };
}

export function toApiCredit({ wallet }: WalletView): ApiCredit {
  return {
    _id: wallet.creditId,
    user_id: wallet.userId,
    credit: String(wallet.balance + wallet.extra),
    cumulative_top_up: String(wallet.toppedUp),
    created_at: wallet.createdAt,
    updated_at: wallet.updatedAt,
    has_phone_sha256: false,
    has_free_credit: wallet.plan === "free" && wallet.balance > 0,
  };
}

export function toEntry(entry: LedgerRecord): LedgerEntry {
  return {
    id: entry.number,
    user_id: entry.userId,
    kind: entry.kind,
    bucket: entry.bucket,
    amount: entry.amount,
    request_id: entry.requestId,
    at: entry.at,
    note: entry.note,
    by: entry.by,
  };
}
