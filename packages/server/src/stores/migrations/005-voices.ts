import { type Kysely, PostgresAdapter } from "kysely";
import type { Tables } from "../tables.ts";
import type { Migration } from "./migrate.ts";

export const voices: Migration = {
  name: "voices",
  up: async (db) => {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? "bytea" : "blob";
    await createVoices(db);
    await db.schema
      .createTable("voice_labels")
      .addColumn("voice_id", "text", (column) => column.notNull().references("voices.id").onDelete("cascade"))
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("value", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("voice_labels_key", ["voice_id", "kind", "value"])
      .execute();
    await db.schema.createIndex("voice_labels_by_value").on("voice_labels").columns(["kind", "value"]).execute();
    await db.schema
      .createTable("voice_likes")
      .addColumn("voice_id", "text", (column) => column.notNull().references("voices.id").onDelete("cascade"))
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addPrimaryKeyConstraint("voice_likes_key", ["voice_id", "user_id"])
      .execute();
    await db.schema
      .createTable("voice_blobs")
      .addColumn("voice_id", "text", (column) => column.notNull().references("voices.id").onDelete("cascade"))
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("text", "text")
      .addColumn("bytes", bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint("voice_blobs_key", ["voice_id", "kind", "number"])
      .execute();
  },
};

async function createVoices({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable("voices")
    .addColumn("id", "text", (column) => column.primaryKey())
    // Null: a stock voice.
    .addColumn("user_id", "text", (column) => column.references("users.id"))
    .addColumn("key_id", "text")
    .addColumn("consent", "text", (column) => column.notNull())
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("title_folded", "text", (column) => column.notNull())
    .addColumn("description", "text", (column) => column.notNull())
    .addColumn("tags", "text", (column) => column.notNull())
    .addColumn("languages", "text", (column) => column.notNull())
    .addColumn("visibility", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("default_text", "text", (column) => column.notNull())
    .addColumn("cover", "text", (column) => column.notNull())
    .addColumn("like_count", "bigint", (column) => column.notNull())
    .addColumn("task_count", "bigint", (column) => column.notNull())
    .addColumn("place", "integer", (column) => column.notNull())
    .addColumn("engine", "text", (column) => column.notNull())
    .addColumn("speaker", "text", (column) => column.notNull())
    .addColumn("pace", "integer", (column) => column.notNull())
    .addColumn("similarity", "integer")
    .addColumn("version", "integer", (column) => column.notNull())
    .addColumn("refinement", "text", (column) => column.notNull())
    .addColumn("refining_node", "text")
    .addColumn("refinement_tries", "integer", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("updated_at", "text", (column) => column.notNull())
    .execute();
  await schema.createIndex("voices_of_user").on("voices").columns(["user_id", "created_at"]).execute();
  await schema.createIndex("voices_by_visibility").on("voices").columns(["visibility", "created_at"]).execute();
  await schema.createIndex("voices_to_refine").on("voices").columns(["refinement", "created_at"]).execute();
}
