import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface VoiceLikeStore {
  /** Also updates the like count of the voice. Must run in a transaction. */
  set(voiceId: string, userId: string, liked: boolean): Promise<void>;
  /** Which of these voices the account likes. */
  likedOf(userId: string, ids: readonly string[]): Promise<readonly string[]>;
}

export function createVoiceLikes(db: Kysely<Tables>): VoiceLikeStore {
  return {
    async set(id, userId, liked) {
      const changed = liked
        ? await db
            .insertInto("voice_likes")
            .values({ voice_id: id, user_id: userId })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
            .then(({ numInsertedOrUpdatedRows }) => numInsertedOrUpdatedRows ?? 0n)
        : await db
            .deleteFrom("voice_likes")
            .where("voice_id", "=", id)
            .where("user_id", "=", userId)
            .executeTakeFirst()
            .then(({ numDeletedRows }) => numDeletedRows);
      if (changed === 0n) return;
      await db
        .updateTable("voices")
        .set((row) => ({ like_count: row("like_count", liked ? "+" : "-", 1) }))
        .where("id", "=", id)
        .execute();
    },
    async likedOf(userId, ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("voice_likes")
        .select("voice_id")
        .where("user_id", "=", userId)
        .where("voice_id", "in", ids)
        .execute();
      return rows.map((row) => row.voice_id);
    },
  };
}
