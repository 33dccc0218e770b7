import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { errorMessage } from "../lib/error-code.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { type Migration, migrate } from "./migrations/migrate.ts";
import { createStore, type Store } from "./store.ts";
import { StoreError } from "./store-error.ts";
import type { Tables } from "./tables.ts";

const CONNECT_MS = 10_000;
/** No query takes this long: it hangs, and so does its connection. */
const QUERY_MS = 30_000;
const CONNECTIONS = 10;
/** The key of the advisory lock for exclusive transactions. Arbitrary, but it must never change. */
const LOCK = 7_281_946;

const { INT8, NUMERIC } = pg.types.builtins;

/** Opens an existing database and migrates its schema. Any number of nodes may do so at once. */
export async function openPostgresStore(
  url: string,
  migrations: readonly Migration[] = MIGRATIONS,
  onLostConnection: (error: Error) => void = () => {},
): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: QUERY_MS,
    application_name: "parlance",
    types: { getTypeParser: parserOf },
  });
  // An idle connection that breaks is replaced by the pool; without a listener the error would end the process.
  pool.on("error", onLostConnection);
  // The same for a connection that breaks between two queries of a transaction.
  pool.on("connect", (client) => client.on("error", onLostConnection));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const transaction = <Result>(work: (bound: Kysely<Tables>) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(work);
  const exclusively = <Result>(work: (bound: Kysely<Tables>) => Promise<Result>): Promise<Result> =>
    transaction(async (bound) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(bound);
      return work(bound);
    });
  try {
    await sql`select 1`.execute(db).catch((error: unknown) => {
      throw cannotOpen(url, error);
    });
    await exclusively((bound) => migrate(bound, migrations));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return createStore({ db, shared: true, transaction, exclusively });
}

/** Counts and credits stay far below 2⁵³, so they are numbers, as with SQLite. */
function parserOf(type: number, format?: "text" | "binary"): (value: string) => unknown {
  if (type === INT8 || type === NUMERIC) return Number;
  return pg.types.getTypeParser(type, format as "text");
}

function cannotOpen(url: string, error: unknown): StoreError {
  const reason = errorMessage(error) || String(error);
  return new StoreError(`The database ${withoutPassword(url)} cannot be opened: ${reason}`, error);
}

function withoutPassword(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return "of PARLANCE_DATABASE_URL";
  }
}
