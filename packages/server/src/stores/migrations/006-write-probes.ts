import type { Migration } from "./migrate.ts";

/** One row that the health check writes, to find out that the disk is full before a request does. */
export const writeProbes: Migration = {
  name: "write probes",
  up: async (db) => {
    await db.schema
      .createTable("write_probes")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("written_at", "text", (column) => column.notNull())
      .execute();
  },
};
