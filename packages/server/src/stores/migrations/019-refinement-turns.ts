import { sql } from "kysely";
import type { Migration } from "./migrate.ts";

/**
 * Accounts take turns: the voices that wait to be made anew, and those that wait to be refined, by account, in the order in which
 * they are claimed. No other index has such a condition: SQLite, which has no statistics, would prefer one by `refinement` and
 * read all that wait.
 */
export const refinementTurns: Migration = {
  name: "refinement-turns",
  expands: true,
  up: async ({ schema }) => {
    for (const [index, waiting] of [
      ["voices_to_remake_of_user", "queued"],
      ["voices_to_refine_of_user", "refinable"],
    ] as const)
      await schema
        .createIndex(index)
        .on("voices")
        .columns(["user_id", "refinement", "created_at", "id"])
        .where(sql<boolean>`substr(refinement, 1, ${sql.lit(waiting.length)}) = ${sql.lit(waiting)}`)
        .execute();
  },
};
