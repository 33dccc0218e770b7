import { type PronunciationList, pronunciationList } from "@parlance/protocol";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface PronunciationStore {
  /** Empty when the account has no list. */
  find(userId: string): Promise<PronunciationList>;
  put(userId: string, list: PronunciationList): Promise<void>;
}

export function createPronunciations(db: Kysely<Tables>): PronunciationStore {
  return {
    async find(userId) {
      const row = await db.selectFrom("pronunciations").select("list").where("user_id", "=", userId).executeTakeFirst();
      return row === undefined ? {} : pronunciationList.parse(JSON.parse(row.list));
    },
    async put(userId, list) {
      const json = JSON.stringify(list);
      await db
        .insertInto("pronunciations")
        .values({ user_id: userId, list: json })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ list: json }))
        .execute();
    },
  };
}
