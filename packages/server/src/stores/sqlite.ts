import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CompiledQuery, Kysely, type SqliteDatabase, SqliteDialect } from "kysely";
import Database from "libsql";
import { errorCode, errorMessage } from "../lib/error-code.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { type Migration, migrate } from "./migrations/migrate.ts";
import { createNodeLocks } from "./node-locks.ts";
import { createStore, type Store } from "./store.ts";
import { StoreError } from "./store-error.ts";
import type { Tables } from "./tables.ts";

/** How long one process waits while another one writes. */
const BUSY_MS = 10_000;

/** Opens the database in a folder, creates both if necessary, and migrates the schema. */
export async function openSqliteStore(folder: string, migrations: readonly Migration[] = MIGRATIONS): Promise<Store> {
  const path = databasePath(folder);
  const db = connect(folder, path);
  const immediate = <Result>(work: (locked: Kysely<Tables>) => Promise<Result>): Promise<Result> =>
    db.connection().execute(async (connection) => {
      // A plain BEGIN takes the write lock only at the first write, when another process may have changed what was read.
      await connection.executeQuery(CompiledQuery.raw("begin immediate"));
      try {
        const result = await work(connection);
        await connection.executeQuery(CompiledQuery.raw("commit"));
        return result;
      } catch (error) {
        // SQLite has rolled back by itself after some errors, such as a full disk. The first error is the one to report.
        await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => {});
        throw error;
      }
    });
  try {
    // Opening is lazy: these are the first statements that read the file. secure_delete overwrites deleted data.
    for (const pragma of ["journal_mode = wal", "synchronous = full", "foreign_keys = on", "secure_delete = on"]) {
      await db.executeQuery(CompiledQuery.raw(`pragma ${pragma}`)).catch((error: unknown) => {
        throw cannotOpen(path, error);
      });
    }
    await immediate((locked) => migrate(locked, migrations)).catch((error: unknown) => {
      throw isDamaged(error) ? cannotOpen(path, error) : error;
    });
    // What a process that was killed has left in the log is safer in the database itself.
    await db.executeQuery(CompiledQuery.raw("pragma wal_checkpoint(passive)"));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  // SQLite has one writer at a time, so every transaction runs alone.
  const nodeLocks = createNodeLocks(folder);
  const erase = () => truncateLog(db);
  return createStore({ db, nodeLocks, transaction: immediate, exclusively: immediate, erase });
}

/** The write-ahead log still contains the pages from before a deletion. */
function truncateLog(db: Kysely<Tables>): Promise<void> {
  return db.connection().execute(async (connection) => {
    const pragma = (text: string) => connection.executeQuery(CompiledQuery.raw(`pragma ${text}`));
    // Waiting for a reader, such as a backup, would block the whole process.
    await pragma("busy_timeout = 0");
    try {
      await pragma("wal_checkpoint(truncate)");
    } catch {
      // Queries no longer return the deleted data; the log is truncated at the next deletion or shutdown.
    } finally {
      await pragma(`busy_timeout = ${BUSY_MS}`);
    }
  });
}

export function databasePath(folder: string): string {
  return join(folder, "parlance.db");
}

function connect(folder: string, path: string): Kysely<Tables> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // libsql has the interface of better-sqlite3, which Kysely's dialect expects.
    const database = cacheStatements(new Database(path, { timeout: BUSY_MS }));
    return new Kysely({ dialect: new SqliteDialect({ database }) });
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/** Far more than there are distinct queries, since values are parameters. */
const MAX_STATEMENTS = 500;

/** Caches prepared statements: parsing and planning takes longer than running them. */
function cacheStatements(database: SqliteDatabase): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      const statement = database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

const isDamaged = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error) ?? "");

function cannotOpen(path: string, error: unknown): StoreError {
  if (isDamaged(error)) {
    const remedy =
      "restore a backup with `parlance restore FILE`, or move the file away to begin with an empty database";
    return new StoreError(`The database ${path} is damaged (${errorMessage(error)}): ${remedy}`, error);
  }
  return new StoreError(`The database ${path} cannot be opened: ${errorMessage(error)}`, error);
}
