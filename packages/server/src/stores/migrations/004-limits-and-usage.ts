import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { Migration } from "./migrate.ts";

export const limitsAndUsage: Migration = {
  name: "limits and usage",
  up: async (db) => {
    // No foreign keys: usage outlives deleted keys, and one bad row must not fail a batch.
    await db.schema
      .createTable("usage")
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("key_id", "text", (column) => column.notNull())
      .addColumn("operation", "text", (column) => column.notNull())
      .addColumn("requests", "bigint", (column) => column.notNull())
      .addColumn("characters", "bigint", (column) => column.notNull())
      .addColumn("audio_ms", "bigint", (column) => column.notNull())
      .addColumn("credits", "bigint", (column) => column.notNull())
      .addColumn("refused", "bigint", (column) => column.notNull())
      .addColumn("failed", "bigint", (column) => column.notNull())
      .addColumn("first_audio", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("usage_key", ["user_id", "day", "key_id", "operation"])
      .execute();
    await db.schema
      .createIndex("usage_by_day")
      .on("usage")
      .columns(["day", "user_id", "key_id", "operation"])
      .execute();
    // With SQLite there is one process, which counts in memory.
    if (isPostgres(db)) await createLeases(db);
  },
};

/** Unlogged: after a crash of the database the nodes report again within seconds, and no request waits for a disk. */
async function createLeases(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("leases")
    .modifyFront(sql`unlogged`)
    .addColumn("user_id", "text", (column) => column.primaryKey())
    .addColumn("places", "text", (column) => column.notNull())
    .addColumn("full_at", "bigint", (column) => column.notNull())
    .execute();
}

function isPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
