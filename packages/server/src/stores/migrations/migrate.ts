import type { Kysely } from "kysely";
import { StoreError } from "../store-error.ts";
import type { Tables } from "../tables.ts";

export interface Migration {
  readonly name: string;
  readonly up: (db: Kysely<Tables>) => Promise<void>;
}

/** Migrates the schema to the newest version. Must run in an exclusive transaction. */
export async function migrate(db: Kysely<Tables>, migrations: readonly Migration[]): Promise<void> {
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
