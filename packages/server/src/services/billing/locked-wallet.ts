import { apiError, type LedgerBucket, type LedgerKind, type PlanName, type Plans } from "@parlance/protocol";
import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { LedgerRecord } from "../../stores/ledger.ts";
import type { Records, Store } from "../../stores/store.ts";
import type { WalletRecord } from "../../stores/wallets.ts";
import { addMonths, periodAt } from "./periods.ts";

export interface Movement {
  readonly kind: LedgerKind;
  readonly bucket: LedgerBucket;
  readonly amount: number;
  readonly requestId: string;
  readonly note?: string | undefined;
  readonly by?: string | undefined;
}

/** A wallet inside a transaction that holds its row lock. */
export interface LockedWallet {
  /** Including the movements so far. */
  readonly wallet: WalletRecord;
  readonly records: Records;
  readonly now: string;
  /** The only way to move credits: changes the wallet and adds a ledger entry. */
  post(movement: Movement): LedgerRecord;
}

export interface WalletOptions {
  readonly store: Store;
  readonly plans: Plans;
  readonly now: () => number;
}

/**
 * Runs `work` in a transaction that holds the lock on the user's wallet. Creates the wallet when there is none, and fills
 * its package when a new period or plan has begun; `refundOnly` work skips that.
 */
export function withLockedWallet<Result>(
  { store, plans, now }: WalletOptions,
  userId: string,
  work: (locked: LockedWallet) => Promise<Result> | Result,
  refundOnly = false,
): Promise<Result> {
  const inTransaction = async (records: Records): Promise<Result> => {
    const before = (await records.wallets.lock(userId)) ?? (await makeWallet(records, userId, isoTime(now())));
    // Read with the lock held: otherwise a later holder could see an older plan and change it back.
    const plan = refundOnly ? undefined : (await records.users.find(userId))?.plan;
    const time = now();
    let wallet = before;
    const entries: LedgerRecord[] = [];
    const lockedWallet: LockedWallet = {
      get wallet() {
        return wallet;
      },
      records,
      now: isoTime(time),
      post({ note = null, by = null, ...movement }) {
        const entry = { ...movement, userId, number: wallet.entries + 1, at: lockedWallet.now, note, by } as const;
        wallet = moved(wallet, entry);
        entries.push(entry);
        return entry;
      },
    };
    if (plan !== undefined && isDue(wallet, plan, time)) {
      const { balance, period } = wallet;
      const requestId = `period-${period + 1}`;
      if (balance > 0) lockedWallet.post({ kind: "expire", bucket: "package", amount: -balance, requestId });
      const total = plans[plan].credits;
      wallet = { ...wallet, ...nextPeriod(wallet, plan, time), total };
      lockedWallet.post({ kind: "refill", bucket: "package", amount: total, requestId, note: plan });
    }
    const result = await work(lockedWallet);
    if (entries.length > 0) {
      await records.ledger.append(entries);
      await records.wallets.update(wallet, wallet.period !== before.period);
    }
    return result;
  };
  // Otherwise one busy account would take all connections to the database, and nobody else would be served.
  return store.turns.run(userId, () => store.transaction(inTransaction));
}

/** Whether the package has to be filled. A clock that is set back changes nothing. */
export function isDue(wallet: WalletRecord, plan: PlanName, now: number): boolean {
  return wallet.period === 0 || wallet.plan !== plan || isoTime(now) >= wallet.periodEnd;
}

/** A new plan starts a new anchor; the same plan continues from its anchor and skips months without use. */
function nextPeriod(wallet: WalletRecord, plan: PlanName, now: number) {
  const period = wallet.period + 1;
  if (wallet.plan === plan) return { period, periodEnd: periodAt(wallet.anchorAt, now).end };
  const anchorAt = isoTime(now);
  return { period, plan, anchorAt, periodEnd: addMonths(anchorAt, 1) };
}

function moved(wallet: WalletRecord, { kind, bucket, amount, number, at }: LedgerRecord): WalletRecord {
  const balance = wallet.balance + (bucket === "package" ? amount : 0);
  const extra = wallet.extra + (bucket === "extra" ? amount : 0);
  const toppedUp = wallet.toppedUp + (kind === "grant" ? Math.max(0, amount) : 0);
  if (balance < 0 || extra < 0) throw new Error(`${kind} of ${amount} would make the balance negative`);
  return { ...wallet, balance, extra, toppedUp, entries: number, updatedAt: at };
}

async function makeWallet(records: Records, userId: string, now: string): Promise<WalletRecord> {
  const user = await records.users.find(userId);
  if (user === undefined) throw apiError("unknown_user", {});
  await records.wallets.insert({
    userId,
    packageId: newId(),
    creditId: newId(),
    plan: user.plan,
    total: 0,
    balance: 0,
    extra: 0,
    toppedUp: 0,
    period: 0,
    anchorAt: user.createdAt,
    periodEnd: user.createdAt,
    entries: 0,
    createdAt: now,
    updatedAt: now,
  });
  const wallet = await records.wallets.lock(userId);
  if (wallet === undefined) throw new Error("a wallet that was just inserted was not found");
  return wallet;
}
