import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CompiledQuery, Kysely, type SqliteDatabase, SqliteDialect } from "kysely";
import Database from "libsql";
import { MIGRATIONS } from "./migrations/index.ts";
import { type Migration, migrate } from "./migrations/migrate.ts";
import { createNodeLocks } from "./node-locks.ts";
import { createStore, type Store } from "./store.ts";
import { StoreError } from "./store-error.ts";
import type { Tables } from "./tables.ts";

/** How long one process waits while another one writes. */
const BUSY_MS = 10_000;

/** Opens the database in a folder, makes both when they are not there, and brings the schema up to date. */
export async function openSqliteStore(folder: string, migrations: readonly Migration[] = MIGRATIONS): Promise<Store> {
  const path = databasePath(folder);
  const db = connect(folder, path);
  const immediately = <Result>(work: (locked: Kysely<Tables>) => Promise<Result>): Promise<Result> =>
    db.connection().execute(async (connection) => {
      // A plain BEGIN takes the write lock only at the first write, when another process may have changed what was read.
      await connection.executeQuery(CompiledQuery.raw("begin immediate"));
      try {
        const result = await work(connection);
        await connection.executeQuery(CompiledQuery.raw("commit"));
        return result;
      } catch (error) {
        await connection.executeQuery(CompiledQuery.raw("rollback"));
        throw error;
      }
    });
  try {
    // Opening is lazy: these are the first statements that read the file. What is deleted is overwritten with zeros.
    for (const pragma of ["journal_mode = wal", "synchronous = full", "foreign_keys = on", "secure_delete = on"]) {
      await db.executeQuery(CompiledQuery.raw(`pragma ${pragma}`)).catch((error: unknown) => {
        throw cannotOpen(path, error);
      });
    }
    await immediately((locked) => migrate(locked, migrations));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  // One writer at a time is all that SQLite has, so every transaction runs alone.
  const nodeLocks = createNodeLocks(folder);
  const erase = () => emptyLog(db);
  return createStore({ db, nodeLocks, transaction: immediately, exclusively: immediately, erase });
}

/** The write-ahead log still has the pages as they were before something was deleted from them. */
function emptyLog(db: Kysely<Tables>): Promise<void> {
  return db.connection().execute(async (connection) => {
    const pragma = (text: string) => connection.executeQuery(CompiledQuery.raw(`pragma ${text}`));
    // Waiting for whoever reads, such as a backup, would hold up the whole process.
    await pragma("busy_timeout = 0");
    try {
      await pragma("wal_checkpoint(truncate)");
    } catch {
      // What was deleted is gone from every answer; the log is emptied with the next deletion, or when the server stops.
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
    // libsql speaks the interface of better-sqlite3, which is all that Kysely's dialect asks of a driver.
    const database = rememberStatements(new Database(path, { timeout: BUSY_MS }));
    return new Kysely({ dialect: new SqliteDialect({ database }) });
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/** Far more than there are queries: values are parameters, so each of them is written in one way or a few. */
const REMEMBERED = 500;

/** A statement is read and planned once instead of each time, which costs more than to run it. */
function rememberStatements(database: SqliteDatabase): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= REMEMBERED) statements.clear();
      const statement = database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

function cannotOpen(path: string, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(`The database ${path} cannot be opened: ${reason}`, error);
}
