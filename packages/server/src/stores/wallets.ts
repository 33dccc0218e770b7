import type { PlanName } from "@parlance/protocol";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";
import { toPlan } from "./users.ts";

/** The credits of an account. Every change of `balance` and `extra` is an entry in the ledger. */
export interface WalletRecord {
  readonly userId: string;
  readonly packageId: string;
  readonly creditId: string;
  /** The plan of the current package. */
  readonly plan: PlanName;
  /** The size of the package. */
  readonly total: number;
  /** The rest of the package. */
  readonly balance: number;
  /** Credits that do not expire, spent after the package. */
  readonly extra: number;
  /** The sum of all grants to `extra`. */
  readonly toppedUp: number;
  /** Counts how often the package was filled. */
  readonly period: number;
  /** Periods are months from this time. */
  readonly anchorAt: string;
  readonly periodEnd: string;
  /** How many entries the ledger has. */
  readonly entries: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface WalletStore {
  find(userId: string): Promise<WalletRecord | undefined>;
  /** Does nothing when there is one already. */
  insert(wallet: WalletRecord): Promise<void>;
  /** Reads the wallet and locks its row until the transaction ends. Every change of a wallet begins with this. */
  lock(userId: string): Promise<WalletRecord | undefined>;
  /** Needs the lock. Writes the period columns only when there is a new period. */
  update(wallet: WalletRecord, newPeriod: boolean): Promise<void>;
}

export function createWallets(db: Kysely<Tables>): WalletStore {
  return {
    async find(userId) {
      const row = await db.selectFrom("wallets").selectAll().where("user_id", "=", userId).executeTakeFirst();
      return row && toWallet(row);
    },
    async insert(wallet) {
      await db
        .insertInto("wallets")
        .values(toRow(wallet))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async lock(userId) {
      // An update without effect: both databases lock the row and return its current version.
      const row = await db
        .updateTable("wallets")
        .set((columns) => ({ entries: columns.ref("entries") }))
        .where("user_id", "=", userId)
        .returningAll()
        .executeTakeFirst();
      return row && toWallet(row);
    },
    async update(wallet, newPeriod) {
      const row = toRow(wallet);
      const { balance, extra, topped_up, entries, updated_at } = row;
      const { plan, total, period, anchor_at, period_end } = row;
      await db
        .updateTable("wallets")
        .set({ balance, extra, topped_up, entries, updated_at })
        .$if(newPeriod, (query) => query.set({ plan, total, period, anchor_at, period_end }))
        .where("user_id", "=", row.user_id)
        .execute();
    },
  };
}

function toRow(wallet: WalletRecord): Selectable<Tables["wallets"]> {
  return {
    user_id: wallet.userId,
    package_id: wallet.packageId,
    credit_id: wallet.creditId,
    plan: wallet.plan,
    total: wallet.total,
    balance: wallet.balance,
    extra: wallet.extra,
    topped_up: wallet.toppedUp,
    period: wallet.period,
    anchor_at: wallet.anchorAt,
    period_end: wallet.periodEnd,
    entries: wallet.entries,
    created_at: wallet.createdAt,
    updated_at: wallet.updatedAt,
  };
}

function toWallet(row: Selectable<Tables["wallets"]>): WalletRecord {
  return {
    userId: row.user_id,
    packageId: row.package_id,
    creditId: row.credit_id,
    plan: toPlan(row.plan),
    total: row.total,
    balance: row.balance,
    extra: row.extra,
    toppedUp: row.topped_up,
    period: row.period,
    anchorAt: row.anchor_at,
    periodEnd: row.period_end,
    entries: row.entries,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
