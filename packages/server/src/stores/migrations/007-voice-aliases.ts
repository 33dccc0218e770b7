import type { Migration } from "./migrate.ts";

/** Voice ids of other servers, and the voices that speak for them. */
export const voiceAliases: Migration = {
  name: "voice aliases",
  up: async (db) => {
    await db.schema
      .createTable("voice_aliases")
      .addColumn("reference_id", "text", (column) => column.primaryKey())
      .addColumn("voice", "text", (column) => column.notNull())
      .execute();
  },
};
