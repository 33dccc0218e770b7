import type { Kysely } from "kysely";
import { StoreError } from "./store.ts";
import type { Tables } from "./tables.ts";

export interface Migration {
  readonly name: string;
  readonly up: (db: Kysely<Tables>) => Promise<void>;
}

/** Forward only: an entry is never changed once it was released, and the place in the list is its version. */
export const MIGRATIONS: readonly Migration[] = [
  {
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
  },
];

/** Brings the schema to the newest version. The caller holds the lock that keeps other processes out. */
export async function migrate(db: Kysely<Tables>, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await db.schema
    .createTable("schema_migrations")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("applied_at", "text", (column) => column.notNull())
    .execute();
  const { version } = await db
    .selectFrom("schema_migrations")
    .select((row) => row.fn.coalesce(row.fn.max("version"), row.lit(0)).as("version"))
    .executeTakeFirstOrThrow();
  if (version > migrations.length) {
    throw new StoreError(
      `The database has schema version ${version}, this program knows only up to ${migrations.length}: run the newer program that wrote it`,
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    await migration.up(db);
    await db
      .insertInto("schema_migrations")
      .values({ version: index + 1, name: migration.name, applied_at: new Date().toISOString() })
      .execute();
  }
}
