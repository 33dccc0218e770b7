import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A file of a voice in the object storage. */
export interface VoiceObject {
  readonly key: string;
  readonly voiceId: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/**
 * Every object has a row before it is written and until it is deleted, so that none is forgotten.
 * pending: it is being written · stored: a blob refers to it · released: it is to be deleted
 */
export interface VoiceObjectStore {
  insertPending(object: VoiceObject, at: string): Promise<void>;
  find(key: string): Promise<VoiceObject | undefined>;
  /** False when it is not pending any more. In the transaction that stores its blob. */
  markStored(key: string): Promise<boolean>;
  /** Those that are still pending. */
  releasePending(keys: readonly string[]): Promise<void>;
  /** Stored ones whose blob is deleted in the same transaction. */
  releaseStored(keys: readonly string[]): Promise<void>;
  releaseOf(voiceId: string): Promise<void>;
  /** Those that have been pending since before this time: their node was killed. */
  releaseAbandoned(before: string): Promise<void>;
  /** Stored ones that no blob refers to, because an older program has deleted it. */
  releaseUnused(): Promise<void>;
  listReleased(limit: number): Promise<readonly string[]>;
  /** When the object is deleted. */
  remove(key: string): Promise<void>;
  count(): Promise<number>;
  /** Which of these keys have a row. */
  known(keys: readonly string[]): Promise<readonly string[]>;
}

export function createVoiceObjects(db: Kysely<Tables>): VoiceObjectStore {
  const change = (from: string, to: string) =>
    db.updateTable("voice_objects").set({ state: to }).where("state", "=", from);
  return {
    async insertPending({ key, voiceId, size, sha256 }, at) {
      const row = { key, voice_id: voiceId, state: "pending", size, sha256, created_at: at };
      await db.insertInto("voice_objects").values(row).execute();
    },
    async find(key) {
      const row = await db.selectFrom("voice_objects").selectAll().where("key", "=", key).executeTakeFirst();
      return row && { key, voiceId: row.voice_id, size: Number(row.size), sha256: row.sha256 };
    },
    async markStored(key) {
      const result = await change("pending", "stored").where("key", "=", key).executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    async releasePending(keys) {
      if (keys.length > 0) await change("pending", "released").where("key", "in", keys).execute();
    },
    async releaseStored(keys) {
      if (keys.length > 0) await change("stored", "released").where("key", "in", keys).execute();
    },
    async releaseOf(voiceId) {
      await change("stored", "released").where("voice_id", "=", voiceId).execute();
    },
    async releaseAbandoned(before) {
      await change("pending", "released").where("created_at", "<", before).execute();
    },
    async releaseUnused() {
      const blobs = db.selectFrom("voice_blobs").select("object").where("object", "is not", null);
      await change("stored", "released").where("key", "not in", blobs).execute();
    },
    async listReleased(limit) {
      const rows = db.selectFrom("voice_objects").select("key").where("state", "=", "released");
      return (await rows.orderBy("created_at").limit(limit).execute()).map(({ key }) => key);
    },
    async remove(key) {
      await db.deleteFrom("voice_objects").where("key", "=", key).where("state", "=", "released").execute();
    },
    async count() {
      const counted = db.selectFrom("voice_objects").select((row) => row.fn.countAll<number>().as("total"));
      return Number((await counted.executeTakeFirstOrThrow()).total);
    },
    async known(keys) {
      if (keys.length === 0) return [];
      const rows = await db.selectFrom("voice_objects").select("key").where("key", "in", keys).execute();
      return rows.map(({ key }) => key);
    },
  };
}
