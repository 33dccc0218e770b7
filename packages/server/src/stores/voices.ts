import type { Visibility } from "@parlance/protocol";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";
import { createVoiceObjects } from "./voice-objects.ts";
import { fold, type StockVoice, toRow, toStockRow, toVoice, type VoiceRecord } from "./voice-records.ts";
import { matchingVoices, type VoicePage, type VoiceQuery } from "./voice-search.ts";

export type { StockVoice, VoiceRecord } from "./voice-records.ts";

export interface VoiceChange {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly visibility?: Visibility | undefined;
  readonly cover?: string | undefined;
}

export interface VoiceStore {
  insert(voice: VoiceRecord): Promise<void>;
  /** Inserts stock voices, or updates their descriptions. Must run in a transaction. */
  putStock(voices: readonly StockVoice[]): Promise<void>;
  find(id: string): Promise<VoiceRecord | undefined>;
  list(query: VoiceQuery & VoicePage): Promise<readonly VoiceRecord[]>;
  count(query: VoiceQuery): Promise<number>;
  countOf(userId: string): Promise<number>;
  /** False when there is no such voice. Must run in a transaction. */
  update(id: string, change: VoiceChange, at: string): Promise<boolean>;
  /** Must run in a transaction. */
  setLanguages(id: string, languages: readonly string[]): Promise<void>;
  /** Deletes the voice with its labels, likes and blobs, and releases its objects. False when there is no such voice. Must run in a transaction. */
  remove(id: string): Promise<boolean>;
  /** Adds to the use counts. */
  addUses(counts: ReadonlyMap<string, number>): Promise<void>;
  /** The names of these accounts. */
  ownersOf(ids: readonly string[]): Promise<readonly { readonly id: string; readonly nickname: string }[]>;
}

/** The order in which transactions write several voices, the same on every node, so that row locks cannot deadlock. */
const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

export function createVoices(db: Kysely<Tables>): VoiceStore {
  const label = async (id: string, kind: "tag" | "language", values: readonly string[]): Promise<void> => {
    await db.deleteFrom("voice_labels").where("voice_id", "=", id).where("kind", "=", kind).execute();
    const rows = [...new Set(values.map(fold))].map((value) => ({ voice_id: id, kind, value }));
    if (rows.length > 0) await db.insertInto("voice_labels").values(rows).execute();
  };
  return {
    async insert(voice) {
      await db.insertInto("voices").values(toRow(voice)).execute();
      await label(voice.id, "tag", voice.tags);
      await label(voice.id, "language", voice.languages);
    },
    async putStock(voices) {
      for (const voice of [...voices].sort(byId)) {
        const row = toStockRow(voice);
        const { title, title_folded, description, tags, languages, default_text, place } = row;
        await db
          .insertInto("voices")
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column("id")
              .doUpdateSet({ title, title_folded, description, tags, languages, default_text, place }),
          )
          .execute();
        await label(voice.id, "tag", voice.tags);
        await label(voice.id, "language", voice.languages);
      }
    },
    async find(id) {
      const row = await db.selectFrom("voices").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toVoice(row);
    },
    async count(query) {
      const { total } = await matchingVoices(db, query)
        .select((row) => row.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    async list(query) {
      let page = matchingVoices(db, query).selectAll();
      if (query.order === "score") page = page.orderBy("like_count", "desc");
      if (query.order !== "created_at") page = page.orderBy("task_count", "desc").orderBy("place");
      const rows = await page
        .orderBy("created_at", "desc")
        .orderBy("place")
        .orderBy("id")
        .limit(query.limit)
        .offset(query.offset)
        .execute();
      return rows.map(toVoice);
    },
    async countOf(userId) {
      const { total } = await db
        .selectFrom("voices")
        .select((row) => row.fn.countAll<number>().as("total"))
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    async update(id, { title, description, tags, visibility, cover }, at) {
      const result = await db
        .updateTable("voices")
        .set({
          updated_at: at,
          ...(title === undefined ? {} : { title, title_folded: fold(title) }),
          ...(description === undefined ? {} : { description }),
          ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
          ...(visibility === undefined ? {} : { visibility }),
          ...(cover === undefined ? {} : { cover }),
        })
        .where("id", "=", id)
        .executeTakeFirst();
      const found = result.numUpdatedRows > 0n;
      if (found && tags !== undefined) await label(id, "tag", tags);
      return found;
    },
    async setLanguages(id, languages) {
      await db
        .updateTable("voices")
        .set({ languages: JSON.stringify(languages) })
        .where("id", "=", id)
        .execute();
      await label(id, "language", languages);
    },
    async remove(id) {
      const result = await db.deleteFrom("voices").where("id", "=", id).executeTakeFirst();
      // After the row is locked, so that no other transaction can add one.
      await createVoiceObjects(db).releaseOf(id);
      return result.numDeletedRows > 0n;
    },
    async addUses(counts) {
      for (const [id, count] of [...counts].sort(([a], [b]) => byId({ id: a }, { id: b }))) {
        await db
          .updateTable("voices")
          .set((row) => ({ task_count: row("task_count", "+", count) }))
          .where("id", "=", id)
          .execute();
      }
    },
    ownersOf: (ids) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.selectFrom("users").select(["id", "nickname"]).where("id", "in", ids).execute(),
  };
}
