import type { Command } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";

export function addBackup(program: Command, context: Context): void {
  program
    .command("backup")
    .description("copy the database to a file, also while the service is running")
    .argument("<file>", "the file to write; it must not exist")
    .option("--overwrite", "replace the file if it exists")
    .addHelpText(
      "after",
      `
The copy is consistent and complete: accounts, keys, wallets, usage, voices, projects, history. Keys and passwords are
hashed, but the file is still confidential. What PARLANCE_BLOBS_URL names is not part of it. A PostgreSQL database is
copied with pg_dump.

Examples:
  parlance backup parlance-2026-05-01.db
  PARLANCE_DATA=/var/lib/parlance parlance backup /backups/parlance-$(date +%F).db`,
    )
    .action((file: string, options: { overwrite?: boolean }) => backup(file, options, context));
}

export function addRestore(program: Command, context: Context): void {
  program
    .command("restore")
    .description("replace the database with a backup; the service must be stopped")
    .argument("<file>", "a file written by parlance backup")
    .addHelpText(
      "after",
      `
Refused while a process has the database open, and for a file of a newer version. The previous database is kept in
the same folder.

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
  const { backupSqlite } = await import("@parlance/server/records");
  backupSqlite(await folderOf(environment, "pg_dump --format=custom --file=FILE"), file, { overwrite });
  terminal.notify(`The database is in ${file}.`);
}

async function restore(file: string, { environment, terminal }: Context): Promise<void> {
  const { restoreSqlite } = await import("@parlance/server/records");
  const { kept } = restoreSqlite(await folderOf(environment, "pg_restore --clean --if-exists FILE"), file);
  terminal.notify("Restored.");
  if (kept !== undefined) terminal.notify(`The previous database is kept: ${kept}`);
}

async function folderOf(environment: NodeJS.ProcessEnv, instead: string): Promise<string> {
  const { readSettings } = await import("../database.ts");
  const { data, databaseUrl } = readSettings(environment);
  if (databaseUrl === undefined) return data;
  throw new UsageError(`this service uses PostgreSQL, which has its own tools: ${instead}`);
}
