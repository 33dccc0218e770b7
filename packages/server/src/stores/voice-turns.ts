import { type Kysely, sql } from "kysely";
import { madeByEncoder } from "./made-by-encoder.ts";
import type { Tables } from "./tables.ts";
import type { QUEUED, REFINABLE } from "./voice-records.ts";

export interface ClaimedVoice {
  readonly voiceId: string;
  /** The account that had the turn. */
  readonly userId: string;
}

/**
 * Assigns a voice to this node. Undefined when none waits.
 *
 * Accounts take turns, in the order of their ids: the voice is one of the next account after `last`, the account of the turn
 * before. So where N accounts have waiting voices, each gets every Nth turn, however many voices the others have. Of its voices,
 * the first one is that whose state comes first, and of these the oldest. This order is that of one account only: otherwise an
 * account with many new voices would keep the existing ones of all others waiting.
 *
 * With `encoder`, the voice is one that this version of the voice encoder has made.
 */
export type ClaimVoice = (node: string, last?: string, encoder?: string) => Promise<ClaimedVoice | undefined>;

interface QueueStates {
  /** With which the states that wait start. The condition of an index, so another one needs an index, too. */
  readonly waiting: typeof QUEUED | typeof REFINABLE;
  readonly running: string;
}

export function claimInTurns(db: Kysely<Tables>, { waiting, running }: QueueStates): ClaimVoice {
  /** In the order of the index by account, so that one row is read, however many voices wait. */
  const nextAfter = (userId: string, encoder: string | undefined) =>
    db
      .selectFrom("voices")
      .select(["id", "user_id", "refinement"])
      .where(sql<boolean>`substr(refinement, 1, ${sql.lit(waiting.length)}) = ${sql.lit(waiting)}`)
      .where("user_id", ">", userId)
      .$if(encoder !== undefined, (query) => query.where(madeByEncoder(encoder ?? "")))
      .orderBy("user_id")
      .orderBy("refinement")
      .orderBy("created_at")
      .orderBy("id")
      .limit(1)
      .$narrowType<{ user_id: string }>()
      .executeTakeFirst();
  return async (node, last = "", encoder) => {
    for (;;) {
      const next = (await nextAfter(last, encoder)) ?? (await nextAfter("", encoder));
      if (next === undefined) return undefined;
      const { numUpdatedRows } = await db
        .updateTable("voices")
        .set((row) => ({
          refinement: running,
          refining_node: node,
          refinement_tries: row("refinement_tries", "+", 1),
        }))
        .where("id", "=", next.id)
        .where("refinement", "=", next.refinement)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return { voiceId: next.id, userId: next.user_id };
      // Another node was faster, or the voice was deleted. The next look finds another voice, or none.
    }
  };
}
