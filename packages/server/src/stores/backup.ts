import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import Database from "libsql";
import { errorCode, errorMessage } from "../lib/error-code.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { databasePath } from "./sqlite.ts";
import { StoreError } from "./store-error.ts";

/**
 * Writes a consistent copy of the whole database to one file, while servers use it. The file appears only when it is
 * complete.
 */
export function backupSqlite(folder: string, file: string, options: { readonly overwrite?: boolean } = {}): void {
  const source = databasePath(folder);
  if (!existsSync(source)) throw new StoreError(`There is no database to back up: ${source} does not exist`);
  const target = resolve(file);
  if (!options.overwrite && existsSync(target)) throw new StoreError(`${file} exists already, choose another name`);
  const partial = partialPath(target);
  try {
    // Created first with these permissions, so that no other user can ever read it.
    closeSync(openSync(partial, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
    const database = new Database(source, { timeout: 10_000 });
    try {
      database.exec(`vacuum into ${quoted(partial)}`);
    } finally {
      database.close();
    }
    sync(partial);
    renameSync(partial, target);
    sync(dirname(target));
  } catch (error) {
    throw failed(`The backup was not made`, error);
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Replaces the database with a backup. The old database is kept beside it, at the path in the result.
 * Refused while any process has the database open, and for a backup with a newer schema.
 */
export function restoreSqlite(folder: string, file: string, now = new Date()): { readonly kept: string | undefined } {
  if (!existsSync(file)) throw new StoreError(`There is no file ${file}`);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) {
    throw new StoreError(`${file} belongs to a database that is in use; make a backup of it with parlance backup`);
  }
  const path = databasePath(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = partialPath(path);
  try {
    closeSync(openSync(fresh, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
    copyFileSync(file, fresh);
    check(fresh, file);
    sync(fresh);
    if (!existsSync(path)) {
      renameSync(fresh, path);
      sync(folder);
      return { kept: undefined };
    }
    const release = openExclusively(path);
    try {
      const kept = `${path}.before-${now.toISOString().replace(/[:.]/g, "-")}`;
      // A hard link, then the rename: the database path always exists.
      linkSync(path, kept);
      renameSync(fresh, path);
      sync(folder);
      return { kept };
    } finally {
      release();
    }
  } catch (error) {
    throw failed("Nothing was restored", error);
  } finally {
    for (const rest of ["", "-journal", "-wal", "-shm"]) rmSync(`${fresh}${rest}`, { force: true });
  }
}

/**
 * Opens the database exclusively. Every other process that has it open holds a file lock, and leaving WAL mode needs
 * exclusive access; it also merges the log into one file.
 */
function openExclusively(path: string): () => void {
  const database = new Database(path, { timeout: 1000 });
  try {
    database.exec("pragma locking_mode = exclusive");
    database.exec("pragma journal_mode = delete");
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (errorCode(error) === "SQLITE_BUSY")
      throw new StoreError("the database is in use: stop the server first", error);
    throw error;
  }
  return () => {
    database.exec("rollback");
    database.close();
  };
}

/** Throws when the file is damaged, not a Parlance database, or of a newer schema. */
function check(copy: string, file: string): void {
  const database = new Database(copy);
  try {
    database.exec("pragma journal_mode = delete");
    const [state] = database.prepare("pragma integrity_check(1)").pluck().all() as unknown[];
    if (state !== "ok") throw new StoreError(`${file} is damaged: ${String(state)}`);
    const [version] = database.prepare("select max(version) from schema_migrations").pluck().all() as unknown[];
    if (typeof version !== "number") throw new StoreError(`${file} is not a backup of Parlance: it is empty`);
    if (version > MIGRATIONS.length) {
      throw new StoreError(
        `${file} has schema version ${version}, this program knows only up to ${MIGRATIONS.length}: use the newer program that wrote it`,
      );
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`${file} is not a backup of Parlance: ${errorMessage(error)}`, error);
  } finally {
    database.close();
  }
}

function partialPath(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}.partial`;
}

/** Flushes a file to the disk; for a folder, its entries. */
function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}

function failed(what: string, error: unknown): StoreError {
  return new StoreError(`${what}: ${errorMessage(error)}`, error);
}
