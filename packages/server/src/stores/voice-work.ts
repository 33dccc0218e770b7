import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** What comes of the work on a voice. */
export interface VoiceProgress {
  readonly pace: number;
  /** In thousandths. */
  readonly similarity: number;
  /** Whether nothing is left to be done. */
  readonly done: boolean;
}

/** Voices that are still to be brought closer to their speakers. */
export interface VoiceWorkStore {
  add(voiceId: string): Promise<void>;
  /** The oldest that waits is this node's from now on. Undefined when there is none, or another node was quicker. */
  claim(node: string): Promise<string | undefined>;
  /** The voice sounds different now. False when it is gone, or not this node's any more. */
  keep(voiceId: string, node: string, progress: VoiceProgress, at: string): Promise<boolean>;
  /** It came to nothing; the voice stays as it is. */
  giveUp(voiceId: string, node: string): Promise<void>;
  /** What a node that died has begun and not ended waits again. It may be what the node has died of. */
  release(node: string): Promise<void>;
  /** The same for a node that stops in peace. */
  putBack(node: string): Promise<void>;
}

/** Work that has failed or ended its process this often is left. */
const MOST_TRIES = 3;

export function createVoiceWork(db: Kysely<Tables>): VoiceWorkStore {
  const held = (voiceId: string, node: string) =>
    db
      .updateTable("voices")
      .where("id", "=", voiceId)
      .where("refinement", "=", "running")
      .where("refining_node", "=", node);
  const begunBy = (node: string) =>
    db.updateTable("voices").where("refinement", "=", "running").where("refining_node", "=", node);
  return {
    async add(voiceId) {
      await db.updateTable("voices").set({ refinement: "waiting" }).where("id", "=", voiceId).execute();
    },
    async claim(node) {
      const next = await db
        .selectFrom("voices")
        .select("id")
        .where("refinement", "=", "waiting")
        .where("refinement_tries", "<", MOST_TRIES)
        .orderBy("created_at")
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      if (next === undefined) return undefined;
      const { numUpdatedRows } = await db
        .updateTable("voices")
        .set((row) => ({
          refinement: "running",
          refining_node: node,
          refinement_tries: row("refinement_tries", "+", 1),
        }))
        .where("id", "=", next.id)
        .where("refinement", "=", "waiting")
        .executeTakeFirst();
      return numUpdatedRows > 0n ? next.id : undefined;
    },
    async keep(voiceId, node, { pace, similarity, done }, at) {
      const { numUpdatedRows } = await held(voiceId, node)
        .set((row) => ({
          pace,
          similarity,
          version: row("version", "+", 1),
          updated_at: at,
          ...(done ? { refinement: "done", refining_node: null } : {}),
        }))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async giveUp(voiceId, node) {
      await held(voiceId, node).set({ refinement: "failed", refining_node: null }).execute();
    },
    async release(node) {
      await begunBy(node).set({ refinement: "waiting", refining_node: null }).execute();
    },
    async putBack(node) {
      await begunBy(node)
        .set((row) => ({
          refinement: "waiting",
          refining_node: null,
          refinement_tries: row("refinement_tries", "-", 1),
        }))
        .execute();
    },
  };
}
