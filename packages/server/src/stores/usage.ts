import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { batchesOf } from "../lib/batches.ts";
import type { Tables } from "./tables.ts";
import { addTo, packHistogram, unpackHistogram } from "./usage-histogram.ts";

/** The usage of one key on one day with one operation. Sessions have the key "". */
export interface UsageRecord extends UsageCounts {
  readonly userId: string;
  readonly keyId: string;
  /** YYYY-MM-DD, in UTC. */
  readonly day: string;
  readonly operation: string;
}

export interface UsageCounts {
  readonly requests: number;
  readonly characters: number;
  readonly audioMs: number;
  readonly credits: number;
  readonly refused: number;
  readonly failed: number;
  /** A packed histogram of the time to first audio. */
  readonly firstAudio: string;
}

export interface UsagePage {
  /** Inclusive. */
  readonly from: string;
  readonly to: string;
  /** Left out: all accounts. */
  readonly userId?: string | undefined;
  /** The last record of the previous page. */
  readonly after?: UsageRecord | undefined;
  readonly limit: number;
}

export interface UsageStore {
  /** Adds to the stored counts. Each record has at least one request. Must run in a transaction. */
  add(records: readonly UsageRecord[]): Promise<void>;
  /** By day, then user, key and operation. */
  page(page: UsagePage): Promise<readonly UsageRecord[]>;
  /** The names of these keys, as far as they exist. At most a few hundred at once. */
  keysOf(ids: readonly string[]): Promise<readonly { id: string; name: string; prefix: string }[]>;
  usersOf(ids: readonly string[]): Promise<readonly { id: string; name: string; email: string | null }[]>;
}

/** Rows per statement; PostgreSQL allows 65 535 parameters, SQLite half of that. */
const ROWS_AT_ONCE = 500;
const KEY = ["user_id", "day", "key_id", "operation"] as const;
const BY_DAY = ["day", "user_id", "key_id", "operation"] as const;
const COUNTS = ["requests", "characters", "audio_ms", "credits", "refused", "failed"] as const;

type Row = Tables["usage"];

export function createUsage(db: Kysely<Tables>): UsageStore {
  /**
   * Adds the counts. New rows are complete with that; existing rows are locked by it, so that their histograms can be
   * read, merged and written.
   */
  const addCounts = (rows: readonly Row[]) =>
    db
      .insertInto("usage")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(KEY).doUpdateSet((row) => ({
          requests: sum(row, "requests"),
          characters: sum(row, "characters"),
          audio_ms: sum(row, "audio_ms"),
          credits: sum(row, "credits"),
          refused: sum(row, "refused"),
          failed: sum(row, "failed"),
        })),
      )
      .returning([...KEY, "requests", "first_audio"])
      .execute();
  const writeHistograms = (rows: readonly Row[]) =>
    db
      .insertInto("usage")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(KEY).doUpdateSet((row) => ({ first_audio: row.ref("excluded.first_audio") })),
      )
      .execute();
  return {
    async add(records) {
      // In the same order on every node, so that row locks cannot deadlock.
      const sorted = records.map(toRow).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      for (const rows of batchesOf(sorted, ROWS_AT_ONCE)) {
        const written = new Map((await addCounts(rows)).map((row) => [keyOf(row), row]));
        const changed = rows.flatMap((row) => {
          const now = written.get(keyOf(row));
          const isNew = now === undefined || now.requests === row.requests;
          return isNew || row.first_audio === ""
            ? []
            : [{ ...row, first_audio: merge(now.first_audio, row.first_audio) }];
        });
        if (changed.length > 0) await writeHistograms(changed);
      }
    },
    async page({ from, to, userId, after, limit }) {
      // SQLite uses the index for the day only, and skips rows within it.
      const start = after?.day ?? from;
      let query = db.selectFrom("usage").selectAll().where("day", ">=", start).where("day", "<=", to);
      if (userId !== undefined) query = query.where("user_id", "=", userId);
      // In index order, so that each page continues where the previous one ended.
      const order = userId === undefined ? BY_DAY : BY_DAY.filter((column) => column !== "user_id");
      if (after !== undefined) {
        const last = toRow(after);
        const columns = sql.join(order.map((column) => sql.ref(column)));
        query = query.where(sql<boolean>`(${columns}) > (${sql.join(order.map((column) => last[column]))})`);
      }
      for (const column of order) query = query.orderBy(column);
      const rows = await query.limit(limit).execute();
      return rows.map(toRecord);
    },
    keysOf: (ids) => db.selectFrom("api_keys").select(["id", "name", "prefix"]).where("id", "in", ids).execute(),
    usersOf: (ids) =>
      db.selectFrom("users").select(["id", "nickname as name", "email"]).where("id", "in", ids).execute(),
  };
}

function sum(
  row: ExpressionBuilder<Tables & { excluded: Row }, "usage" | "excluded">,
  column: (typeof COUNTS)[number],
) {
  return row(`usage.${column}`, "+", row.ref(`excluded.${column}`));
}

function merge(one: string, other: string): string {
  const both = unpackHistogram(one);
  addTo(both, unpackHistogram(other));
  return packHistogram(both);
}

function keyOf(row: Pick<Row, (typeof KEY)[number]>): string {
  return KEY.map((column) => row[column]).join(" ");
}

function toRow({ userId, keyId, audioMs, firstAudio, ...rest }: UsageRecord): Row {
  return { ...rest, user_id: userId, key_id: keyId, audio_ms: audioMs, first_audio: firstAudio };
}

function toRecord({ user_id, key_id, audio_ms, first_audio, ...rest }: Row): UsageRecord {
  return { ...rest, userId: user_id, keyId: key_id, audioMs: audio_ms, firstAudio: first_audio };
}
