import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { MIGRATIONS } from "./migrations/index.ts";
import { type Migration, migrate } from "./migrations/migrate.ts";
import { createStore, type Store } from "./store.ts";
import { StoreError } from "./store-error.ts";
import type { Tables } from "./tables.ts";

const CONNECT_MS = 10_000;
/** No query of ours takes this long: it hangs, and its connection with it. */
const QUERY_MS = 30_000;
const CONNECTIONS = 10;
/** Names the lock under which one process at a time migrates and the like. Any number does, as long as it stays. */
const LOCK = 7_281_946;

const { INT8, NUMERIC } = pg.types.builtins;

/** Opens a database that is there, and brings its schema up to date. Any number of nodes may do so at once. */
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
  // A connection that breaks while it rests is replaced by the pool; without a listener it would end the process.
  pool.on("error", onLostConnection);
  // The same holds for one that breaks while it is lent out but no query runs on it, as between two of a transaction.
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

/** Counts and credits stay far below 2⁵³, so they are numbers here as they are with SQLite. */
function parserOf(type: number, format?: "text" | "binary"): (value: string) => unknown {
  if (type === INT8 || type === NUMERIC) return Number;
  return pg.types.getTypeParser(type, format as "text");
}

function cannotOpen(url: string, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message || String(error) : String(error);
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
