import type { Migration } from "./migrate.ts";

/** Pronunciations of words: one list for each account, as JSON. */
export const pronunciations: Migration = {
  name: "pronunciations",
  up: async (db) => {
    await db.schema
      .createTable("pronunciations")
      .addColumn("user_id", "text", (column) => column.primaryKey().references("users.id"))
      .addColumn("list", "text", (column) => column.notNull())
      .execute();
  },
};
