import type { Migration } from "./migrate.ts";

export const usersAndKeys: Migration = {
  name: "users and API keys",
  up: async (db) => {
    await db.schema
      .createTable("users")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("role", "text", (column) => column.notNull())
      .addColumn("nickname", "text", (column) => column.notNull())
      .addColumn("email", "text", (column) => column.unique())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("api_keys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("prefix", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text")
      .addColumn("revoked_at", "text")
      .addColumn("last_used_at", "text")
      .execute();
    await db.schema.createIndex("api_keys_of_user").on("api_keys").column("user_id").execute();
  },
};
