import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** The credits that a key has used, with those that are reserved now. */
export interface KeySpendingRecord {
  readonly keyId: string;
  /** The last day with a charge (`2026-11-16`, UTC), and the credits of that day. */
  readonly day: string;
  readonly dayCredits: number;
  /** The last month with a charge (`2026-11`), and its credits. */
  readonly month: string;
  readonly monthCredits: number;
  readonly totalCredits: number;
}

/** Changed only with the wallet of the key's account locked. */
export interface KeySpendingStore {
  find(keyId: string): Promise<KeySpendingRecord | undefined>;
  list(keyIds: readonly string[]): Promise<readonly KeySpendingRecord[]>;
  put(record: KeySpendingRecord): Promise<void>;
}

export function createKeySpending(db: Kysely<Tables>): KeySpendingStore {
  const all = () => db.selectFrom("key_spending").selectAll();
  return {
    async find(keyId) {
      const row = await all().where("key_id", "=", keyId).executeTakeFirst();
      return row && toRecord(row);
    },
    async list(keyIds) {
      if (keyIds.length === 0) return [];
      return (await all().where("key_id", "in", keyIds).execute()).map(toRecord);
    },
    async put({ keyId, day, dayCredits, month, monthCredits, totalCredits }) {
      const values = {
        day,
        day_credits: dayCredits,
        month,
        month_credits: monthCredits,
        total_credits: totalCredits,
      };
      await db
        .insertInto("key_spending")
        .values({ key_id: keyId, ...values })
        .onConflict((conflict) => conflict.column("key_id").doUpdateSet(values))
        .execute();
    },
  };
}

function toRecord(row: Tables["key_spending"]): KeySpendingRecord {
  return {
    keyId: row.key_id,
    day: row.day,
    dayCredits: Number(row.day_credits),
    month: row.month,
    monthCredits: Number(row.month_credits),
    totalCredits: Number(row.total_credits),
  };
}
