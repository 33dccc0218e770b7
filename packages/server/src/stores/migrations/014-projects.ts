import { PostgresAdapter } from "kysely";
import type { Migration } from "./migrate.ts";

/** Long texts that are spoken paragraph by paragraph. The audio has a table of its own: lists never read it. */
export const projects: Migration = {
  name: "projects",
  expands: true,
  up: async (db) => {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? "bytea" : "blob";
    await db.schema
      .createTable("projects")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addColumn("title", "text", (column) => column.notNull())
      .addColumn("settings", "text", (column) => column.notNull())
      .addColumn("chapters", "text", (column) => column.notNull())
      .addColumn("paragraphs", "integer", (column) => column.notNull())
      .addColumn("job", "text", (column) => column.notNull())
      .addColumn("job_node", "text")
      .addColumn("job_error", "text")
      .addColumn("job_tries", "integer", (column) => column.notNull())
      .addColumn("job_at", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("projects_of_user").on("projects").columns(["user_id", "updated_at"]).execute();
    await db.schema.createIndex("projects_by_job").on("projects").columns(["job", "job_at"]).execute();
    await db.schema
      .createTable("project_audio")
      .addColumn("project_id", "text", (column) => column.notNull().references("projects.id").onDelete("cascade"))
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("duration_ms", "bigint", (column) => column.notNull())
      .addColumn("words", "text", (column) => column.notNull())
      .addColumn("bytes", bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint("project_audio_key", ["project_id", "hash"])
      .execute();
  },
};
