import type { Migration } from "./migrate.ts";

export const accounts: Migration = {
  name: "accounts, sessions and sign-in links",
  up: async (db) => {
    const { schema } = db;
    // One at a time: SQLite adds no two columns in one statement.
    await schema
      .alterTable("users")
      .addColumn("plan", "text", (column) => column.notNull().defaultTo("free"))
      .execute();
    await schema.alterTable("users").addColumn("password_hash", "text").execute();
    await schema.alterTable("users").addColumn("disabled_at", "text").execute();
    await schema
      .alterTable("users")
      .addColumn("updated_at", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    await db
      .updateTable("users")
      .set((row) => ({ updated_at: row.ref("created_at") }))
      .execute();
    await db.updateTable("users").set({ role: "member" }).where("role", "=", "user").execute();
    const first = await db
      .selectFrom("users")
      .select("id")
      .where("role", "=", "admin")
      .orderBy("created_at")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    // The operator of the server has no limits.
    if (first) await db.updateTable("users").set({ plan: "unlimited" }).where("id", "=", first.id).execute();

    await schema
      .createTable("sessions")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("last_seen_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("user_agent", "text", (column) => column.notNull())
      .addColumn("opened_by", "text", (column) => column.notNull())
      .execute();
    await schema.createIndex("sessions_of_user").on("sessions").column("user_id").execute();
    await schema
      .createTable("sign_in_links")
      .addColumn("hash", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .execute();
    await schema.createIndex("sign_in_links_of_user").on("sign_in_links").column("user_id").execute();
    await schema
      .createTable("sign_in_attempts")
      .addColumn("subject", "text", (column) => column.primaryKey())
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("last_at", "text", (column) => column.notNull())
      .addColumn("blocked_until", "text", (column) => column.notNull())
      .execute();
    await schema.createIndex("sign_in_attempts_by_age").on("sign_in_attempts").column("last_at").execute();
  },
};
