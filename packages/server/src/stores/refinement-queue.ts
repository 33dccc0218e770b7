import type { RefinementSimilarity } from "@parlance/protocol";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";
import { MAX_ATTEMPTS, REFINABLE, REFINABLE_LATER, REFINING } from "./voice-records.ts";

/** Cloned voices that wait to be refined by gradient or are being refined. They have been through the remake queue. */
export interface RefinementQueueStore {
  enqueue(voiceId: string): Promise<void>;
  /**
   * Enqueues the voices that this version of the voice encoder made and whose present sound was not refined, after all that
   * wait already. Returns how many. Not those that have crashed their nodes: every start would end that way.
   */
  enqueueUnrefined(engine: string, encoder: string): Promise<number>;
  /** Assigns the oldest waiting voice to this node. Undefined when there is none. */
  claim(node: string): Promise<string | undefined>;
  /** False when the voice was deleted, is to be made anew, or belongs to another node by now. */
  isHeld(voiceId: string, node: string): Promise<boolean>;
  /** Ends the refinement. `at`: the sound of the voice has changed. False as for `isHeld`. */
  save(
    voiceId: string,
    node: string,
    similarity: RefinementSimilarity | undefined,
    at: string | undefined,
  ): Promise<boolean>;
  /** The voice stays as it is, and is enqueued again at a start with refinement switched on. */
  skip(voiceId: string, node: string): Promise<void>;
  /** The refinement failed; the voice stays as it is. */
  markFailed(voiceId: string, node: string): Promise<void>;
  /** The job of an expired node waits again, behind others. It counts as an attempt, since it may have crashed the node. */
  requeueAfterCrash(node: string): Promise<void>;
  /** The job of a node that shuts down waits again, without counting as an attempt. */
  requeueAfterStop(node: string): Promise<void>;
}

export function createRefinementQueue(db: Kysely<Tables>): RefinementQueueStore {
  const held = (voiceId: string, node: string) => runningOn(node).where("id", "=", voiceId);
  const runningOn = (node: string) =>
    db.updateTable("voices").where("refinement", "=", REFINING).where("refining_node", "=", node);
  const next = () =>
    db
      .selectFrom("voices")
      .select(["id", "refinement"])
      .where("refinement", "in", [REFINABLE, REFINABLE_LATER])
      .orderBy("refinement")
      .orderBy("created_at")
      .orderBy("id")
      .limit(1);
  return {
    async enqueue(voiceId) {
      await db.updateTable("voices").set({ refinement: REFINABLE }).where("id", "=", voiceId).execute();
    },
    async enqueueUnrefined(engine, encoder) {
      const { numUpdatedRows } = await db
        .updateTable("voices")
        .set({ refinement: REFINABLE_LATER, refining_node: null, refinement_tries: 0 })
        .where("user_id", "is not", null)
        .where("engine", "=", engine)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("voice_blobs")
              .select("voice_id")
              .whereRef("voice_blobs.voice_id", "=", "voices.id")
              .where("kind", "=", "embedding")
              .where("text", "=", encoder),
          ),
        )
        .where(({ or, eb, ref }) =>
          or([eb("refined_version", "is", null), eb("refined_version", "<>", ref("version"))]),
        )
        .where(({ or, and, eb, not, exists, selectFrom }) =>
          or([
            eb("refinement", "in", ["none", "done", "failed"]),
            // A program of an earlier version removes expired nodes without requeueing these jobs.
            and([
              eb("refinement", "=", REFINING),
              not(exists(selectFrom("nodes").select("id").whereRef("nodes.id", "=", "voices.refining_node"))),
            ]),
          ]),
        )
        .where("refinement_tries", "<", MAX_ATTEMPTS)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async claim(node) {
      for (;;) {
        const waiting = await next().executeTakeFirst();
        if (waiting === undefined) return undefined;
        const { numUpdatedRows } = await db
          .updateTable("voices")
          .set((row) => ({
            refinement: REFINING,
            refining_node: node,
            refinement_tries: row("refinement_tries", "+", 1),
          }))
          .where("id", "=", waiting.id)
          .where("refinement", "=", waiting.refinement)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) return waiting.id;
        // Another node was faster. The next look finds another voice, or none.
      }
    },
    async isHeld(voiceId, node) {
      const row = await db
        .selectFrom("voices")
        .select("id")
        .where("id", "=", voiceId)
        .where("refinement", "=", REFINING)
        .where("refining_node", "=", node)
        .executeTakeFirst();
      return row !== undefined;
    },
    async save(voiceId, node, similarity, at) {
      const thousandths = (value: number | undefined) => (value === undefined ? null : Math.round(value * 1000));
      const changed = at === undefined ? 0 : 1;
      const { numUpdatedRows } = await held(voiceId, node)
        .set((row) => ({
          refinement: "done",
          refining_node: null,
          refinement_tries: 0,
          version: row("version", "+", changed),
          // The right side of an assignment is the row as it was before.
          refined_version: row("version", "+", changed),
          similarity_before: thousandths(similarity?.before),
          similarity_after: thousandths(similarity?.after),
          ...(at === undefined ? {} : { updated_at: at }),
        }))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async skip(voiceId, node) {
      await held(voiceId, node).set({ refinement: "done", refining_node: null, refinement_tries: 0 }).execute();
    },
    async markFailed(voiceId, node) {
      await held(voiceId, node).set({ refinement: "failed", refining_node: null, refinement_tries: 0 }).execute();
    },
    async requeueAfterCrash(node) {
      await runningOn(node)
        .where("refinement_tries", ">=", MAX_ATTEMPTS)
        .set({ refinement: "failed", refining_node: null })
        .execute();
      await runningOn(node).set({ refinement: REFINABLE_LATER, refining_node: null }).execute();
    },
    async requeueAfterStop(node) {
      await runningOn(node)
        .set((row) => ({
          refinement: REFINABLE,
          refining_node: null,
          refinement_tries: row("refinement_tries", "-", 1),
        }))
        .execute();
    },
  };
}
