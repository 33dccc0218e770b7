import type { LedgerBucket, LedgerKind } from "@parlance/protocol";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";

/** One movement of credits. Never changed and never deleted. */
export interface LedgerRecord {
  readonly userId: string;
  /** The entries of a wallet are numbered from 1 without a gap. */
  readonly number: number;
  readonly kind: LedgerKind;
  readonly bucket: LedgerBucket;
  /** What the bucket gained; negative when it lost. */
  readonly amount: number;
  /** What it was for. The same kind of movement of a bucket happens once for each. */
  readonly requestId: string;
  readonly at: string;
  readonly note: string | null;
  /** Who caused it, when it was a person. */
  readonly by: string | null;
}

export interface LedgerStore {
  /** Throws (`isTaken`) when one of them was made before. */
  append(entries: readonly LedgerRecord[]): Promise<void>;
  /** The newest first; `before` is the number of an entry. */
  listOf(
    userId: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly LedgerRecord[]>;
  /** All that was moved for one request, in order. */
  ofRequest(userId: string, requestId: string): Promise<readonly LedgerRecord[]>;
  /** What the entries add up to. */
  sums(userId: string): Promise<{ readonly package: number; readonly extra: number; readonly entries: number }>;
}

export function createLedger(db: Kysely<Tables>): LedgerStore {
  return {
    async append(entries) {
      await db.insertInto("ledger").values(entries.map(toRow)).execute();
    },
    async listOf(userId, { before, limit }) {
      let query = db.selectFrom("ledger").selectAll().where("user_id", "=", userId);
      if (before !== undefined) query = query.where("number", "<", before);
      return (await query.orderBy("number", "desc").limit(limit).execute()).map(toEntry);
    },
    async ofRequest(userId, requestId) {
      const rows = await db
        .selectFrom("ledger")
        .selectAll()
        .where("user_id", "=", userId)
        .where("request_id", "=", requestId)
        .execute();
      // Not sorted by the database: SQLite would go through all entries of the user, in order, to save the sorting.
      return rows.map(toEntry).sort((a, b) => a.number - b.number);
    },
    async sums(userId) {
      const rows = await db
        .selectFrom("ledger")
        .select((row) => ["bucket", row.fn.sum<number>("amount").as("sum"), row.fn.countAll<number>().as("count")])
        .where("user_id", "=", userId)
        .groupBy("bucket")
        .execute();
      const of = (bucket: LedgerBucket): number => rows.find((row) => row.bucket === bucket)?.sum ?? 0;
      const entries = rows.reduce((total, row) => total + Number(row.count), 0);
      return { package: of("package"), extra: of("extra"), entries };
    },
  };
}

function toRow({ userId, requestId, by, ...rest }: LedgerRecord): Selectable<Tables["ledger"]> {
  return { ...rest, user_id: userId, request_id: requestId, made_by: by };
}

function toEntry(row: Selectable<Tables["ledger"]>): LedgerRecord {
  return {
    userId: row.user_id,
    number: row.number,
    // Only this program writes them.
    kind: row.kind as LedgerKind,
    bucket: row.bucket as LedgerBucket,
    amount: row.amount,
    requestId: row.request_id,
    at: row.at,
    note: row.note,
    by: row.made_by,
  };
}
