import { apiError, type LedgerBucket, type LedgerKind, type PlanName, type Plans } from "@parlance/protocol";
import type { LedgerRecord } from "../../stores/ledger.ts";
import type { Records, Store } from "../../stores/store.ts";
import type { WalletRecord } from "../../stores/wallets.ts";
import { isoTime, newId } from "../identity/keys.ts";
import { addMonths, periodAt } from "./periods.ts";

export interface Movement {
  readonly kind: LedgerKind;
  readonly bucket: LedgerBucket;
  readonly amount: number;
  readonly requestId: string;
  readonly note?: string | undefined;
  readonly by?: string | undefined;
}

/** A wallet that nobody else can change now. */
export interface Book {
  /** As it is with the movements so far. */
  readonly wallet: WalletRecord;
  readonly records: Records;
  readonly now: string;
  /** The only way in which credits move: the wallet changes by it, and the ledger has it. */
  post(movement: Movement): LedgerRecord;
}

export interface BookOptions {
  readonly store: Store;
  readonly plans: Plans;
  readonly now: () => number;
}

/**
 * Opens a user's wallet, brings it up to date and works on it, alone. It is made when there is none, and its package is
 * filled when a period or a plan has begun. All movements and whatever else the work writes are kept together, or none.
 * Work that only gives back leaves it to others to bring it up to date.
 */
export function openBook<Result>(
  { store, plans, now }: BookOptions,
  userId: string,
  work: (book: Book) => Promise<Result> | Result,
  givesBack = false,
): Promise<Result> {
  return store.transaction(async (records) => {
    const locked = (await records.wallets.lock(userId)) ?? (await makeWallet(records, userId, isoTime(now())));
    // Read with the lock held: who holds it later must not see an older plan, or it would be changed back and forth.
    const plan = givesBack ? undefined : (await records.users.find(userId))?.plan;
    const time = now();
    let wallet = locked;
    const entries: LedgerRecord[] = [];
    const book: Book = {
      get wallet() {
        return wallet;
      },
      records,
      now: isoTime(time),
      post({ note = null, by = null, ...movement }) {
        const entry = { ...movement, userId, number: wallet.entries + 1, at: book.now, note, by } as const;
        wallet = moved(wallet, entry);
        entries.push(entry);
        return entry;
      },
    };
    if (plan !== undefined && isDue(wallet, plan, time)) {
      const { balance, period } = wallet;
      const requestId = `period-${period + 1}`;
      if (balance > 0) book.post({ kind: "expire", bucket: "package", amount: -balance, requestId });
      const total = plans[plan].credits;
      wallet = { ...wallet, ...nextPeriod(wallet, plan, time), total };
      book.post({ kind: "refill", bucket: "package", amount: total, requestId, note: plan });
    }
    const result = await work(book);
    if (entries.length > 0) {
      await records.ledger.append(entries);
      await records.wallets.update(wallet, wallet.period !== locked.period);
    }
    return result;
  });
}

/** Whether the package has to be filled. A clock that goes back changes nothing. */
export function isDue(wallet: WalletRecord, plan: PlanName, now: number): boolean {
  return wallet.period === 0 || wallet.plan !== plan || isoTime(now) >= wallet.periodEnd;
}

/** A new plan begins a period of its own; the same one goes on from where it was, months without use left out. */
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
  if (balance < 0 || extra < 0) throw new Error(`${kind} of ${amount} would leave less than nothing`);
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
  if (wallet === undefined) throw new Error("a wallet that was just made is not there");
  return wallet;
}
