import type { Kysely } from "kysely";
import { StoreError } from "../store-error.ts";
import type { Tables } from "../tables.ts";

export interface Migration {
  readonly name: string;
  readonly up: (db: Kysely<Tables>) => Promise<void>;
  /**
   * It only adds what programs before it ignore: those still work with the database, and may start. Left out: they refuse to
   * start from then on.
   */
  readonly expands?: true;
}

/**
 * Migrates the schema to the newest version. Must run in an exclusive transaction. A newer schema is left as it is, if it only
 * expands the one that this program knows.
 */
export async function migrate(db: Kysely<Tables>, migrations: readonly Migration[]): Promise<void> {
  await db.schema
    .createTable("schema_migrations")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("applied_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("schema_compatibility")
    .ifNotExists()
    .addColumn("oldest_version", "integer", (column) => column.notNull())
    .execute();
  const { version } = await db
    .selectFrom("schema_migrations")
    .select((row) => row.fn.coalesce(row.fn.max("version"), row.lit(0)).as("version"))
    .executeTakeFirstOrThrow();
  const stored = await db.selectFrom("schema_compatibility").select("oldest_version").executeTakeFirst();
  // The table is newer than the first schemas, whose programs refuse every newer one.
  let oldest = stored?.oldest_version ?? version;
  if (version > migrations.length) {
    if (migrations.length >= oldest) return;
    throw new StoreError(
      `The database has schema version ${version}, this program knows only up to ${migrations.length}: run the newer program that wrote it`,
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    await migration.up(db);
    if (migration.expands !== true) oldest = index + 1;
    await db
      .insertInto("schema_migrations")
      .values({ version: index + 1, name: migration.name, applied_at: new Date().toISOString() })
      .execute();
  }
  if (oldest === stored?.oldest_version) return;
  await db.deleteFrom("schema_compatibility").execute();
  await db.insertInto("schema_compatibility").values({ oldest_version: oldest }).execute();
}
