import type { Kysely } from "kysely";
import { counted, uncounted } from "./job-attempts.ts";
import { madeByEncoder } from "./made-by-encoder.ts";
import type { Tables } from "./tables.ts";
import {
  MAX_ATTEMPTS,
  QUEUED,
  QUEUED_LATER,
  QUEUED_POSTPONED,
  REFINABLE,
  REFINABLE_LATER,
  REFINEMENT_FAILED,
  type VoiceRecord,
} from "./voice-records.ts";
import { type ClaimVoice, claimInTurns } from "./voice-turns.ts";

/** How a voice sounds, beside its embedding. */
export type StoredSound = Pick<VoiceRecord, "engine" | "speaker" | "pace" | "pitch" | "pitchRange">;

/** After the first stage, a voice is done, or waits in the refinement queue: a new one before those that existed already. */
export type NextStage = "done" | "refine" | "refine-later";
const NEXT_STATES: Readonly<Record<NextStage, string>> = {
  done: "done",
  refine: REFINABLE,
  "refine-later": REFINABLE_LATER,
};

/**
 * The first stage of the background work: cloned voices that wait to be made anew from their recordings, by their texts or for
 * another version of the voice encoder. The refinement queue follows.
 */
export interface RemakeQueueStore {
  enqueue(voiceId: string): Promise<void>;
  /** A voice whose refinement has failed, for whatever reason, waits again. Others stay as they are. */
  retry(voiceId: string): Promise<void>;
  /**
   * Enqueues the voices that were cloned for another engine, or by another version of the voice encoder, after the new ones of
   * the same account. Returns how many. Not those that were tried too often in this queue.
   */
  enqueueOutdated(engine: string, encoder: string): Promise<number>;
  /** Enqueues the voices that could not be made anew, unless it was tried too often. */
  retryFailed(): Promise<void>;
  /** Of the voices of an account, new ones come first, then those that existed already, postponed ones last, the oldest first. */
  readonly claim: ClaimVoice;
  /** Writes the result. False when the voice was deleted or belongs to another node by now. */
  save(voiceId: string, node: string, sound: StoredSound, at: string, next?: NextStage): Promise<boolean>;
  /** The work failed; the voice stays as it is. */
  markFailed(voiceId: string, node: string): Promise<void>;
  /** The voice cannot be made anew now. It waits behind the others of its account, without counting as an attempt. */
  postpone(voiceId: string, node: string): Promise<void>;
  /** The jobs of an expired node wait again, behind new ones. They count as attempts, since they may have crashed the node; the last one has failed. */
  requeueAfterCrash(node: string): Promise<void>;
  /** The jobs of a node that shuts down wait again, without counting as attempts. */
  requeueAfterStop(node: string): Promise<void>;
}

export function createRemakeQueue(db: Kysely<Tables>): RemakeQueueStore {
  const held = (voiceId: string, node: string) =>
    db
      .updateTable("voices")
      .where("id", "=", voiceId)
      .where("refinement", "=", "running")
      .where("refining_node", "=", node);
  const runningOn = (node: string) =>
    db.updateTable("voices").where("refinement", "=", "running").where("refining_node", "=", node);
  return {
    async enqueue(voiceId) {
      await db.updateTable("voices").set({ refinement: QUEUED }).where("id", "=", voiceId).execute();
    },
    async retry(voiceId) {
      await db
        .updateTable("voices")
        .set({ refinement: QUEUED, refinement_tries: 0 })
        .where("id", "=", voiceId)
        .where("refinement", "in", ["failed", REFINEMENT_FAILED])
        .execute();
    },
    async enqueueOutdated(engine, encoder) {
      const { numUpdatedRows } = await db
        .updateTable("voices")
        .set((row) => ({
          refinement: QUEUED_LATER,
          refinement_tries: row
            .case()
            .when("refinement", "=", "failed")
            .then(row.ref("refinement_tries"))
            .else(0)
            .end(),
        }))
        .where("user_id", "is not", null)
        .where((eb) => eb.or([eb("engine", "<>", engine), eb.not(madeByEncoder(encoder)(eb))]))
        .where("refinement", "not in", [QUEUED, QUEUED_LATER, QUEUED_POSTPONED, "running"])
        .where(({ or, eb }) => or([eb("refinement", "<>", "failed"), eb("refinement_tries", "<", MAX_ATTEMPTS)]))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async retryFailed() {
      await db
        .updateTable("voices")
        .set({ refinement: QUEUED_LATER })
        .where("refinement", "=", "failed")
        .where("refinement_tries", "<", MAX_ATTEMPTS)
        .execute();
    },
    claim: claimInTurns(db, { waiting: QUEUED, running: "running" }),
    async save(voiceId, node, { pitchRange, ...sound }, at, next = "done") {
      const { numUpdatedRows } = await held(voiceId, node)
        .set((row) => ({
          ...sound,
          pitch_range: pitchRange,
          version: row("version", "+", 1),
          updated_at: at,
          refinement: NEXT_STATES[next],
          refining_node: null,
          refinement_tries: 0,
        }))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async markFailed(voiceId, node) {
      await held(voiceId, node).set({ refinement: "failed", refining_node: null }).execute();
    },
    async postpone(voiceId, node) {
      await held(voiceId, node).set(uncounted(QUEUED_POSTPONED)).execute();
    },
    async requeueAfterCrash(node) {
      await runningOn(node).set(counted("failed", QUEUED_LATER)).execute();
    },
    async requeueAfterStop(node) {
      await runningOn(node).set(uncounted(QUEUED)).execute();
    },
  };
}
