import type { LedgerBucket, LedgerKind } from "@parlance/protocol";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";

/** One change of a wallet. Never updated and never deleted. */
export interface LedgerRecord {
  readonly userId: string;
  /** The entries of a wallet are numbered from 1 without a gap. */
  readonly number: number;
  readonly kind: LedgerKind;
  readonly bucket: LedgerBucket;
  /** Negative: taken out of the bucket. */
  readonly amount: number;
  /** The request or grant. Each kind of entry exists at most once per request and bucket. */
  readonly requestId: string;
  readonly at: string;
  readonly note: string | null;
  /** The account that caused it, if any. */
  readonly by: string | null;
}

export interface LedgerStore {
  /** Throws (`isTaken`) when one of them exists already. */
  append(entries: readonly LedgerRecord[]): Promise<void>;
  /** The newest first; `before` is the number of an entry. */
  listOf(
    userId: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly LedgerRecord[]>;
  /** All entries of one request, in order. */
  ofRequest(userId: string, requestId: string): Promise<readonly LedgerRecord[]>;
  /** The sums of all entries. */
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
      // Sorted here: with ORDER BY, SQLite would scan all entries of the user instead of using the index.
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
