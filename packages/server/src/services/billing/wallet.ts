import { apiError, describeValue, type LedgerKind, type PlanName, type Plans } from "@parlance/protocol";
import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { LedgerRecord } from "../../stores/ledger.ts";
import type { Store } from "../../stores/store.ts";
import { isTaken } from "../../stores/store-error.ts";
import type { SubscriptionRecord } from "../../stores/subscriptions.ts";
import type { WalletRecord } from "../../stores/wallets.ts";
import { isDue, withLockedWallet } from "./locked-wallet.ts";

export type { LedgerRecord } from "../../stores/ledger.ts";

export interface WalletView {
  readonly wallet: WalletRecord;
  readonly subscription: SubscriptionRecord;
}

export interface NewGrant {
  /** Negative to remove credits. */
  readonly amount: number;
  /** The same key twice is one grant. */
  readonly key?: string | undefined;
  readonly note?: string | undefined;
  readonly by?: string | undefined;
}

export interface GrantResult {
  readonly entry: LedgerRecord;
  /** False when the same grant was made before. */
  readonly created: boolean;
  readonly wallet: WalletRecord;
}

export interface SubscriptionChange extends Omit<SubscriptionRecord, "userId" | "hasUsedTrial" | "lastSyncedAt"> {
  /** Undefined: now. */
  readonly lastSyncedAt: string | undefined;
  /** Undefined: stays as it is. */
  readonly hasUsedTrial: boolean | undefined;
  /** Undefined: stays as it is. */
  readonly plan: PlanName | undefined;
}

export interface Wallets {
  /** Throws 404 when there is no such user, as all of these do. */
  view(userId: string): Promise<WalletView>;
  grant(userId: string, grant: NewGrant): Promise<GrantResult>;
  setSubscription(userId: string, change: SubscriptionChange): Promise<WalletView>;
  ledger(userId: string, page: { readonly before?: number | undefined; readonly limit: number }): Promise<LedgerView>;
}

export interface LedgerView {
  readonly entries: readonly LedgerRecord[];
  readonly hasMore: boolean;
}

/** Far below the largest exact integer. */
const MAX_CREDITS = 1_000_000_000_000;
const MAX_NOTE = 500;
const MAX_KEY = 200;

export function createWalletService(store: Store, plans: Plans, now: () => number = Date.now): Wallets {
  const options = { store, plans, now };
  const upToDate = async (userId: string): Promise<WalletRecord> => {
    const [wallet, user] = await Promise.all([store.wallets.find(userId), store.users.find(userId)]);
    if (user === undefined) throw apiError("unknown_user", {});
    if (wallet !== undefined && !isDue(wallet, user.plan, now())) return wallet;
    return withLockedWallet(options, userId, (locked) => locked.wallet);
  };
  const view = async (userId: string): Promise<WalletView> => ({
    wallet: await upToDate(userId),
    subscription: (await store.subscriptions.find(userId)) ?? { ...NO_SUBSCRIPTION, userId },
  });

  return {
    view,
    async grant(userId, { amount, key, note, by }) {
      checkAmount(amount);
      checkText("note", note, 0, MAX_NOTE);
      checkText("idempotency_key", key, 1, MAX_KEY);
      const requestId = key ?? newId();
      try {
        return await withLockedWallet(options, userId, (locked) => {
          const { extra } = locked.wallet;
          if (extra + amount < 0) throw refused("amount", amount, `only ${extra} extra credits are there to take back`);
          if (extra + amount > MAX_CREDITS) throw refused("amount", amount, `a wallet holds at most ${MAX_CREDITS}`);
          const entry = locked.post({ kind: "grant", bucket: "extra", amount, requestId, note, by });
          return { entry, created: true, wallet: locked.wallet };
        });
      } catch (error) {
        if (!isTaken(error)) throw error;
        const entry = entryOf(await store.ledger.ofRequest(userId, requestId), "grant");
        if (entry?.amount !== amount) {
          throw refused("idempotency_key", requestId, `it was used before, for a grant of ${entry?.amount}`);
        }
        return { entry, created: false, wallet: await upToDate(userId) };
      }
    },
    async setSubscription(userId, { plan, hasUsedTrial, lastSyncedAt, ...fields }) {
      await store.transaction(async (records) => {
        const at = isoTime(now());
        // The user row first: concurrent changes of the same account wait for its lock.
        if (!(await records.users.update(userId, { plan }, at))) throw apiError("unknown_user", {});
        const before = await records.subscriptions.find(userId);
        await records.subscriptions.put({
          ...fields,
          userId,
          lastSyncedAt: lastSyncedAt ?? at,
          hasUsedTrial: hasUsedTrial ?? before?.hasUsedTrial ?? false,
        });
      });
      return view(userId);
    },
    async ledger(userId, { before, limit }) {
      await upToDate(userId);
      const entries = await store.ledger.listOf(userId, { before, limit: limit + 1 });
      return { entries: entries.slice(0, limit), hasMore: entries.length > limit };
    },
  };
}

export const NO_SUBSCRIPTION: Omit<SubscriptionRecord, "userId"> = {
  providerSubscriptionId: null,
  providerPriceId: null,
  billingPeriod: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: null,
  cancelAt: null,
  scheduledChange: null,
  lastSyncedAt: null,
  subscriptionCurrency: null,
  hasUsedTrial: false,
};

function entryOf(entries: readonly LedgerRecord[], kind: LedgerKind): LedgerRecord | undefined {
  return entries.find((entry) => entry.kind === kind);
}

function checkAmount(amount: number): void {
  if (Number.isSafeInteger(amount) && amount !== 0 && Math.abs(amount) <= MAX_CREDITS) return;
  throw refused("amount", amount, `it must be an integer from -${MAX_CREDITS} to ${MAX_CREDITS}, and not 0`);
}

function checkText(field: string, value: string | undefined, min: number, max: number): void {
  if (value === undefined) return;
  if (value.length >= min && value.length <= max && !value.includes("\0")) return;
  throw refused(field, value, `it must have ${min} to ${max} characters`);
}

function refused(field: string, value: unknown, allowed: string) {
  return apiError("invalid_value", { field, value: describeValue(value), allowed });
}
