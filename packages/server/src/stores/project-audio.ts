import type { HistoryWord } from "@parlance/protocol";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** The audio of a paragraph, by a hash of everything that it was made from. */
export interface ParagraphAudio {
  readonly hash: string;
  readonly durationMs: number;
  readonly words: readonly HistoryWord[];
  readonly bytes: Buffer;
}

export interface ProjectAudioStore {
  put(projectId: string, audio: ParagraphAudio): Promise<void>;
  find(projectId: string, hash: string): Promise<ParagraphAudio | undefined>;
  /** The words of some audio of a project, by hash. */
  words(projectId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, ParagraphAudio["words"]>>;
  /** The lengths and sizes of all audio of a project, by hash. */
  list(projectId: string): Promise<ReadonlyMap<string, { readonly durationMs: number; readonly bytes: number }>>;
  /** The bytes of all projects of an account. */
  bytesOf(userId: string): Promise<number>;
  remove(projectId: string, hashes: readonly string[]): Promise<void>;
}

export function createProjectAudio(db: Kysely<Tables>): ProjectAudioStore {
  return {
    async put(projectId, { hash, durationMs, words, bytes }) {
      const values = { size: bytes.length, duration_ms: durationMs, words: JSON.stringify(words), bytes };
      await db
        .insertInto("project_audio")
        .values({ project_id: projectId, hash, ...values })
        .onConflict((conflict) => conflict.columns(["project_id", "hash"]).doUpdateSet(values))
        .execute();
    },
    async find(projectId, hash) {
      const row = await db
        .selectFrom("project_audio")
        .select(["duration_ms", "words", "bytes"])
        .where("project_id", "=", projectId)
        .where("hash", "=", hash)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const bytes = Buffer.isBuffer(row.bytes) ? row.bytes : Buffer.from(row.bytes);
      return { hash, durationMs: Number(row.duration_ms), words: toWords(row.words), bytes };
    },
    async words(projectId, hashes) {
      const rows = await db
        .selectFrom("project_audio")
        .select(["hash", "words"])
        .where("project_id", "=", projectId)
        .where("hash", "in", hashes)
        .execute();
      return new Map(rows.map(({ hash, words }) => [hash, toWords(words)]));
    },
    async list(projectId) {
      const rows = await db
        .selectFrom("project_audio")
        .select(["hash", "duration_ms", "size"])
        .where("project_id", "=", projectId)
        .execute();
      return new Map(rows.map((row) => [row.hash, { durationMs: Number(row.duration_ms), bytes: Number(row.size) }]));
    },
    async bytesOf(userId) {
      const { total } = await db
        .selectFrom("project_audio")
        .innerJoin("projects", "projects.id", "project_audio.project_id")
        .select((row) => row.fn.sum("project_audio.size").as("total"))
        .where("projects.user_id", "=", userId)
        .executeTakeFirstOrThrow();
      return Number(total ?? 0);
    },
    async remove(projectId, hashes) {
      await db.deleteFrom("project_audio").where("project_id", "=", projectId).where("hash", "in", hashes).execute();
    },
  };
}

const toWords = (json: string): readonly HistoryWord[] => JSON.parse(json) as HistoryWord[];
