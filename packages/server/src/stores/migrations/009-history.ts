import { PostgresAdapter } from "kysely";
import type { Migration } from "./migrate.ts";

/** What an account has spoken and transcribed, with the audio in a table of its own: lists never read it. */
export const history: Migration = {
  name: "history",
  up: async (db) => {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? "bytea" : "blob";
    await db.schema
      .createTable("history")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("title", "text", (column) => column.notNull())
      .addColumn("text", "text", (column) => column.notNull())
      .addColumn("searched", "text", (column) => column.notNull())
      .addColumn("words", "text", (column) => column.notNull())
      .addColumn("voice", "text", (column) => column.notNull())
      .addColumn("model", "text", (column) => column.notNull())
      .addColumn("language", "text")
      .addColumn("duration_ms", "bigint", (column) => column.notNull())
      .addColumn("complete", "integer", (column) => column.notNull())
      .addColumn("trace_id", "text")
      .addColumn("audio_type", "text")
      .addColumn("audio_bytes", "bigint", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("history_of_user").on("history").columns(["user_id", "created_at"]).execute();
    await db.schema.createIndex("history_by_age").on("history").column("created_at").execute();
    await db.schema
      .createTable("history_audio")
      .addColumn("entry_id", "text", (column) => column.primaryKey().references("history.id").onDelete("cascade"))
      .addColumn("bytes", bytes, (column) => column.notNull())
      .execute();
  },
};
