import type { HistoryKind, HistoryWord } from "@parlance/protocol";
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";
import { fold } from "./voice-records.ts";

/** An entry without its text and words. */
export interface HistorySummary {
  readonly id: string;
  readonly userId: string;
  readonly kind: HistoryKind;
  readonly title: string;
  /** The start of the text. */
  readonly excerpt: string;
  readonly voice: string;
  readonly model: string;
  readonly language: string | null;
  readonly durationMs: number;
  readonly complete: boolean;
  readonly traceId: string | null;
  readonly audioType: string | null;
  readonly audioBytes: number;
  readonly createdAt: string;
}

export interface HistoryDetails {
  readonly text: string;
  readonly words: readonly HistoryWord[];
}

/** An entry, and the size of its audio. */
export interface HistorySize {
  readonly id: string;
  readonly bytes: number;
}

export interface HistoryStore {
  add(entry: Omit<HistorySummary, "excerpt"> & HistoryDetails): Promise<void>;
  /** The ids of all entries of an account, newest first. */
  ids(userId: string, kind: HistoryKind | undefined): Promise<readonly string[]>;
  /** Those whose title or text contains `search`, in any order. Reads all of their text: pass a few ids only. */
  matching(ids: readonly string[], search: string): Promise<readonly string[]>;
  /** In any order. Reads all of their text: pass a few ids only. */
  summaries(ids: readonly string[]): Promise<readonly HistorySummary[]>;
  find(id: string): Promise<(HistorySummary & HistoryDetails) | undefined>;
  /** Reads the entry and locks its row until the transaction ends. Every change of it begins with this. */
  lock(id: string): Promise<(HistorySummary & HistoryDetails) | undefined>;
  change(id: string, title: string, details: HistoryDetails): Promise<void>;
  putAudio(id: string, type: string, bytes: Buffer): Promise<void>;
  findAudio(id: string): Promise<Buffer | undefined>;
  /** The sizes of all entries of an account, newest first. */
  sizes(userId: string): Promise<readonly HistorySize[]>;
  /** The oldest entries of all accounts. */
  olderThan(createdAt: string, limit: number): Promise<readonly HistorySize[]>;
  remove(ids: readonly string[]): Promise<void>;
}

const EXCERPT = 240;
const SEARCHED = 20_000;

export function createHistory(db: Kysely<Tables>): HistoryStore {
  return {
    async add({ words, ...entry }) {
      await db
        .insertInto("history")
        .values({
          id: entry.id,
          user_id: entry.userId,
          kind: entry.kind,
          title: entry.title,
          text: entry.text,
          searched: searchedOf(entry.title, entry.text),
          words: JSON.stringify(words),
          voice: entry.voice,
          model: entry.model,
          language: entry.language,
          duration_ms: entry.durationMs,
          complete: entry.complete ? 1 : 0,
          trace_id: entry.traceId,
          audio_type: entry.audioType,
          audio_bytes: entry.audioBytes,
          created_at: entry.createdAt,
        })
        .execute();
    },
    async ids(userId, kind) {
      const all = db.selectFrom("history").select("id").where("user_id", "=", userId);
      const rows = await (kind === undefined ? all : all.where("kind", "=", kind))
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(({ id }) => id);
    },
    async matching(ids, search) {
      if (ids.length === 0) return [];
      const pattern = `%${fold(search).replace(/[%_!]/g, "!$&")}%`;
      const rows = await db
        .selectFrom("history")
        .select("id")
        .where("id", "in", ids)
        .where(sql<boolean>`searched like ${pattern} escape '!'`)
        .execute();
      return rows.map(({ id }) => id);
    },
    async summaries(ids) {
      if (ids.length === 0) return [];
      return (await db.selectFrom("history").select(summaryColumns).where("id", "in", ids).execute()).map(toSummary);
    },
    async find(id) {
      const row = await db.selectFrom("history").select(detailColumns).where("id", "=", id).executeTakeFirst();
      return row && toDetails(row);
    },
    async lock(id) {
      // An update without effect: both databases lock the row and return its current version.
      const row = await db
        .updateTable("history")
        .set((columns) => ({ title: columns.ref("title") }))
        .where("id", "=", id)
        .returning(detailColumns)
        .executeTakeFirst();
      return row && toDetails(row);
    },
    async change(id, title, { text, words }) {
      await db
        .updateTable("history")
        .set({ title, text, words: JSON.stringify(words), searched: searchedOf(title, text) })
        .where("id", "=", id)
        .execute();
    },
    async putAudio(id, type, bytes) {
      await db
        .insertInto("history_audio")
        .values({ entry_id: id, bytes })
        .onConflict((conflict) => conflict.column("entry_id").doUpdateSet({ bytes }))
        .execute();
      await db
        .updateTable("history")
        .set({ audio_type: type, audio_bytes: bytes.length })
        .where("id", "=", id)
        .execute();
    },
    async findAudio(id) {
      const row = await db.selectFrom("history_audio").select("bytes").where("entry_id", "=", id).executeTakeFirst();
      return row && (Buffer.isBuffer(row.bytes) ? row.bytes : Buffer.from(row.bytes));
    },
    async sizes(userId) {
      const rows = await db
        .selectFrom("history")
        .select(["id", "audio_bytes"])
        .where("user_id", "=", userId)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(toSize);
    },
    async olderThan(createdAt, limit) {
      const rows = await db
        .selectFrom("history")
        .select(["id", "audio_bytes"])
        .where("created_at", "<", createdAt)
        .orderBy("created_at")
        .limit(limit)
        .execute();
      return rows.map(toSize);
    },
    async remove(ids) {
      if (ids.length > 0) await db.deleteFrom("history").where("id", "in", ids).execute();
    },
  };
}

const toSize = (row: Pick<Tables["history"], "id" | "audio_bytes">): HistorySize => ({
  id: row.id,
  bytes: Number(row.audio_bytes),
});

const summaryColumns = [
  ...(["id", "user_id", "kind", "title", "voice", "model", "language", "duration_ms", "complete"] as const),
  ...(["trace_id", "audio_type", "audio_bytes", "created_at"] as const),
  sql<string>`substr(text, 1, ${sql.lit(EXCERPT)})`.as("excerpt"),
] as const;

const detailColumns = [...summaryColumns, "text", "words"] as const;

function toSummary(
  row: Omit<Tables["history"], "text" | "words" | "searched"> & { readonly excerpt: string },
): HistorySummary {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind === "transcript" ? "transcript" : "speech",
    title: row.title,
    excerpt: row.excerpt,
    voice: row.voice,
    model: row.model,
    language: row.language,
    durationMs: Number(row.duration_ms),
    complete: row.complete === 1,
    traceId: row.trace_id,
    audioType: row.audio_type,
    audioBytes: Number(row.audio_bytes),
    createdAt: row.created_at,
  };
}

function toDetails(
  row: Omit<Tables["history"], "searched"> & { readonly excerpt: string },
): HistorySummary & HistoryDetails {
  return { ...toSummary(row), text: row.text, words: JSON.parse(row.words) as HistoryWord[] };
}

function searchedOf(title: string, text: string): string {
  return fold(`${title}\n${text.slice(0, SEARCHED)}`);
}
