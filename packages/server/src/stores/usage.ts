import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";
import { addTo, packHistogram, unpackHistogram } from "./usage-histogram.ts";

/** What one key (or the dashboard, whose key is "") did on one day with one operation. */
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
  /** How often the first audio took how long, packed. */
  readonly firstAudio: string;
}

export interface UsagePage {
  /** Both are part of it. */
  readonly from: string;
  readonly to: string;
  /** Everybody's, when it is not given. */
  readonly userId?: string | undefined;
  /** The last one of the page before. */
  readonly after?: UsageRecord | undefined;
  readonly limit: number;
}

export interface UsageStore {
  /** Adds to what is there; each record counts at least one request. To be called in a transaction, which other nodes may hold at the same time. */
  add(records: readonly UsageRecord[]): Promise<void>;
  /** By day, then user, key and operation. */
  page(page: UsagePage): Promise<readonly UsageRecord[]>;
  /** What people call these keys, as far as they are known. At most a few hundred at once. */
  keysOf(ids: readonly string[]): Promise<readonly { id: string; name: string; prefix: string }[]>;
  usersOf(ids: readonly string[]): Promise<readonly { id: string; name: string; email: string | null }[]>;
}

/** What one statement takes; PostgreSQL allows 65 535 parameters, SQLite half of that. */
const ROWS_AT_ONCE = 500;
const KEY = ["user_id", "day", "key_id", "operation"] as const;
const BY_DAY = ["day", "user_id", "key_id", "operation"] as const;
const COUNTS = ["requests", "characters", "audio_ms", "credits", "refused", "failed"] as const;

type Row = Tables["usage"];

export function createUsage(db: Kysely<Tables>): UsageStore {
  /**
   * Adds the numbers. Rows that are new are done with that; the others are locked then, so that their histograms can
   * be read, added to and written.
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
      // In one order everywhere: nodes that write the same rows then wait for each other, but never in a circle.
      const sorted = records.map(toRow).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      for (let start = 0; start < sorted.length; start += ROWS_AT_ONCE) {
        const rows = sorted.slice(start, start + ROWS_AT_ONCE);
        const written = new Map((await addCounts(rows)).map((row) => [keyOf(row), row]));
        const heard = rows.flatMap((row) => {
          const now = written.get(keyOf(row));
          const isNew = now === undefined || now.requests === row.requests;
          return isNew || row.first_audio === ""
            ? []
            : [{ ...row, first_audio: merge(now.first_audio, row.first_audio) }];
        });
        if (heard.length > 0) await writeHistograms(heard);
      }
    },
    async page({ from, to, userId, after, limit }) {
      // SQLite finds the place by the day alone, and skips over the rest of it.
      const start = after?.day ?? from;
      let query = db.selectFrom("usage").selectAll().where("day", ">=", start).where("day", "<=", to);
      if (userId !== undefined) query = query.where("user_id", "=", userId);
      // In the order of an index, so that each page begins where the one before has ended.
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
