import type { Migration } from "./migrate.ts";

/** Recordings and pictures of voices that are in an object storage instead of the database. */
export const voiceObjects: Migration = {
  name: "voice objects",
  expands: true,
  up: async (db) => {
    await db.schema.alterTable("voice_blobs").addColumn("object", "text").execute();
    await db.schema.createIndex("voice_blobs_by_object").on("voice_blobs").column("object").execute();
    await db.schema
      .createTable("voice_objects")
      .addColumn("key", "text", (column) => column.primaryKey())
      // No reference: an object is written before its voice, and deleted after it.
      .addColumn("voice_id", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("sha256", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("voice_objects_of_voice").on("voice_objects").column("voice_id").execute();
    await db.schema
      .createIndex("voice_objects_by_state")
      .on("voice_objects")
      .columns(["state", "created_at"])
      .execute();
  },
};
