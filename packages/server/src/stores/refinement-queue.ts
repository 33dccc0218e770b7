import type { RefinementSimilarity } from "@parlance/protocol";
import type { Kysely } from "kysely";
import { counted, uncounted } from "./job-attempts.ts";
import { madeByEncoder } from "./made-by-encoder.ts";
import type { Tables } from "./tables.ts";
import {
  MAX_ATTEMPTS,
  REFINABLE,
  REFINABLE_LATER,
  REFINABLE_POSTPONED,
  REFINEMENT_FAILED,
  REFINING,
} from "./voice-records.ts";
import { type ClaimVoice, claimInTurns } from "./voice-turns.ts";

/** Cloned voices that wait to be refined by gradient or are being refined. They have been through the remake queue. */
export interface RefinementQueueStore {
  enqueue(voiceId: string): Promise<void>;
  /**
   * Enqueues the voices that this version of the voice encoder made and whose present sound was not refined, after the new ones
   * of the same account. Returns how many. Not those whose refinement has failed.
   */
  enqueueUnrefined(engine: string, encoder: string): Promise<number>;
  /** Enqueues the voices whose refinement has failed, unless it was tried too often. */
  retryFailed(): Promise<void>;
  /** Of the voices of an account, new ones come first, then those that existed already, postponed ones last, the oldest first. */
  readonly claim: ClaimVoice;
  /** False when the voice was deleted, is to be made anew, or belongs to another node by now. */
  isHeld(voiceId: string, node: string): Promise<boolean>;
  /**
   * Ends the refinement. `at`: the sound of the voice has changed. The stored similarity is higher than before in this case
   * only, however it is rounded. False as for `isHeld`.
   */
  save(
    voiceId: string,
    node: string,
    similarity: RefinementSimilarity | undefined,
    at: string | undefined,
  ): Promise<boolean>;
  /** The refinement failed; the voice stays as it is. */
  markFailed(voiceId: string, node: string): Promise<void>;
  /** The voice cannot be refined now. It waits behind the others of its account, without counting as an attempt. */
  postpone(voiceId: string, node: string): Promise<void>;
  /** Where no other node is alive, the waiting voices are done as they are. */
  endWaiting(node: string): Promise<void>;
  /** The job of an expired node waits again, behind new ones. It counts as an attempt, since it may have crashed the node; the last one has failed. */
  requeueAfterCrash(node: string): Promise<void>;
  /** The same for jobs of nodes that no longer exist: a program of an earlier version removes expired nodes without requeueing these jobs. */
  requeueOrphans(): Promise<void>;
  /** The job of a node that shuts down waits again, behind new ones, without counting as an attempt. */
  requeueAfterStop(node: string): Promise<void>;
}

const WAITING = [REFINABLE, REFINABLE_LATER, REFINABLE_POSTPONED];

export function createRefinementQueue(db: Kysely<Tables>): RefinementQueueStore {
  const running = () => db.updateTable("voices").where("refinement", "=", REFINING);
  const runningOn = (node: string) => running().where("refining_node", "=", node);
  const held = (voiceId: string, node: string) => runningOn(node).where("id", "=", voiceId);
  return {
    async enqueue(voiceId) {
      await db.updateTable("voices").set({ refinement: REFINABLE }).where("id", "=", voiceId).execute();
    },
    async enqueueUnrefined(engine, encoder) {
      const { numUpdatedRows } = await db
        .updateTable("voices")
        .set({ refinement: REFINABLE_LATER })
        .where("user_id", "is not", null)
        .where("engine", "=", engine)
        .where(madeByEncoder(encoder))
        .where(({ or, eb, ref }) =>
          or([eb("refined_version", "is", null), eb("refined_version", "<>", ref("version"))]),
        )
        .where("refinement", "in", ["none", "done"])
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async retryFailed() {
      await db
        .updateTable("voices")
        .set({ refinement: REFINABLE_LATER })
        .where("refinement", "=", REFINEMENT_FAILED)
        .where("refinement_tries", "<", MAX_ATTEMPTS)
        .execute();
    },
    claim: claimInTurns(db, { waiting: REFINABLE, running: REFINING }),
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
      const changed = at === undefined ? 0 : 1;
      const { numUpdatedRows } = await held(voiceId, node)
        .set((row) => ({
          refinement: "done",
          refining_node: null,
          refinement_tries: 0,
          version: row("version", "+", changed),
          // The right side of an assignment is the row as it was before.
          refined_version: row("version", "+", changed),
          ...similarityColumns(similarity, at !== undefined),
          ...(at === undefined ? {} : { updated_at: at }),
        }))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async markFailed(voiceId, node) {
      await held(voiceId, node).set({ refinement: REFINEMENT_FAILED, refining_node: null }).execute();
    },
    async postpone(voiceId, node) {
      await held(voiceId, node).set(uncounted(REFINABLE_POSTPONED)).execute();
    },
    async endWaiting(node) {
      await db
        .updateTable("voices")
        .set({ refinement: "done" })
        .where("refinement", "in", WAITING)
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom("nodes").select("id").where("id", "<>", node))))
        .execute();
    },
    async requeueAfterCrash(node) {
      await runningOn(node).set(counted(REFINEMENT_FAILED, REFINABLE_LATER)).execute();
    },
    async requeueOrphans() {
      await running()
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("nodes").select("id").whereRef("nodes.id", "=", "voices.refining_node"))),
        )
        .set(counted(REFINEMENT_FAILED, REFINABLE_LATER))
        .execute();
    },
    async requeueAfterStop(node) {
      await runningOn(node).set(uncounted(REFINABLE_LATER)).execute();
    },
  };
}

function similarityColumns(similarity: RefinementSimilarity | undefined, isKept: boolean) {
  if (similarity === undefined) return { similarity_before: null, similarity_after: null };
  const before = Math.round(similarity.before * 1000);
  const after = Math.round(similarity.after * 1000);
  return {
    similarity_before: before,
    similarity_after: isKept ? Math.max(after, before + 1) : Math.min(after, before),
  };
}
