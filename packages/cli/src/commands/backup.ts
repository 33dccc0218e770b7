import type { Command } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";

export function addBackup(program: Command, context: Context): void {
  program
    .command("backup")
    .description("copy the database to a file, also while the service is running")
    .argument("<file>", "where to; it must not exist")
    .option("--overwrite", "replace the file if it exists")
    .addHelpText(
      "after",
      `
The copy is of one moment and stands for itself: accounts, keys, wallets, usage. It holds no secrets in the clear, but is
for its owner's eyes only. A database of PostgreSQL is copied with pg_dump.

Examples:
  parlance backup parlance-2026-05-01.db
  PARLANCE_DATA=/var/lib/parlance parlance backup /backups/parlance-$(date +%F).db`,
    )
    .action((file: string, options: { overwrite?: boolean }) => backup(file, options, context));
}

export function addRestore(program: Command, context: Context): void {
  program
    .command("restore")
    .description("put a backup in the place of the database; the service must be stopped")
    .argument("<file>", "what parlance backup has written")
    .addHelpText(
      "after",
      `
Refused while anything has the database open, and for a file that a newer version has written. The database that was
there is kept beside it.

Examples:
  parlance restore parlance-2026-05-01.db
  PARLANCE_DATA=/var/lib/parlance parlance restore /backups/parlance-2026-05-01.db`,
    )
    .action((file: string) => restore(file, context));
}

async function backup(
  file: string,
  { overwrite = false }: { overwrite?: boolean },
  { environment, terminal }: Context,
): Promise<void> {
  const { backupSqlite } = await import("@parlance/server");
  backupSqlite(await folderOf(environment, "pg_dump --format=custom --file=FILE"), file, { overwrite });
  terminal.tell(`The database is in ${file}.`);
}

async function restore(file: string, { environment, terminal }: Context): Promise<void> {
  const { restoreSqlite } = await import("@parlance/server");
  const { kept } = restoreSqlite(await folderOf(environment, "pg_restore --clean --if-exists FILE"), file);
  terminal.tell("Restored.");
  if (kept !== undefined) terminal.tell(`The database that was there is kept: ${kept}`);
}

async function folderOf(environment: NodeJS.ProcessEnv, instead: string): Promise<string> {
  const { readSettings } = await import("../database.ts");
  const { data, databaseUrl } = readSettings(environment);
  if (databaseUrl === undefined) return data;
  throw new UsageError(`this service keeps its records in PostgreSQL, whose own tools copy them: ${instead}`);
}
