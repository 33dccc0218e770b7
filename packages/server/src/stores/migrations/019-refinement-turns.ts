import { sql } from "kysely";
import type { Migration } from "./migrate.ts";

/**
 * Accounts take turns at refinements: the voices that wait to be refined, by account, in the order in which they are claimed. No
 * other index has this condition: SQLite, which has no statistics, would prefer one by `refinement` and read all that wait.
 */
export const refinementTurns: Migration = {
  name: "refinement-turns",
  expands: true,
  up: async ({ schema }) => {
    await schema
      .createIndex("voices_to_refine_of_user")
      .on("voices")
      .columns(["user_id", "refinement", "created_at", "id"])
      .where(sql<boolean>`substr(refinement, 1, 9) = 'refinable'`)
      .execute();
  },
};
