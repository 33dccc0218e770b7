import { randomBytes } from "node:crypto";
import { after, describe, type TestContext } from "node:test";
import pg from "pg";
import type { Config } from "../config/config.ts";
import type { Migration } from "../stores/migrations/migrate.ts";
import { openPostgresStore } from "../stores/postgres.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import type { Store } from "../stores/store.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "./postgres.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** An empty database for one test, removed after it. */
export interface TestDatabase {
  /** May be called several times; each store is like another process with the same database. */
  open(migrations?: readonly Migration[]): Promise<Store>;
  /** The settings with which a server opens it. */
  readonly config: Pick<Config, "data" | "databaseUrl">;
}

export type NewDatabase = (context: TestContext) => Promise<TestDatabase>;

/** Declares the same tests for SQLite and for PostgreSQL. */
export function onEachDatabase(name: string, declare: (newDatabase: NewDatabase) => void): void {
  describe(`${name}, on SQLite`, { timeout: 600_000 }, () => declare(newSqlite));
  onPostgres(name, declare);
}

/** For tests of several machines. */
export function onPostgres(name: string, declare: (newDatabase: NewDatabase) => void): void {
  describe(`${name}, on PostgreSQL`, { timeout: 600_000, skip: postgresMissing }, () => declare(newPostgres));
}

const newSqlite: NewDatabase = async (context) => {
  const folder = await temporaryFolder(context);
  return opened(context, { data: folder, databaseUrl: undefined }, (migrations) => openSqliteStore(folder, migrations));
};

const newPostgres: NewDatabase = async (context) => {
  const address = new URL(await maintenanceUrl());
  const name = `test_${randomBytes(8).toString("hex")}`;
  await administer(address.href, `create database ${name}`);
  const url = Object.assign(new URL(address), { pathname: `/${name}` }).href;
  const data = await temporaryFolder(context);
  const database = opened(context, { data, databaseUrl: url }, (migrations) => openPostgresStore(url, migrations));
  context.after(() => administer(address.href, `drop database ${name} with (force)`));
  return database;
};

function opened(
  context: TestContext,
  config: TestDatabase["config"],
  open: (migrations?: readonly Migration[]) => Promise<Store>,
): TestDatabase {
  const stores: Store[] = [];
  context.after(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  return {
    config,
    async open(migrations) {
      const store = await open(migrations);
      stores.push(store);
      return store;
    },
  };
}

let server: Promise<PostgresServer> | undefined;

/** One server for all tests of a run, or for those of this file when it runs alone. */
async function maintenanceUrl(): Promise<string> {
  const given = process.env.PARLANCE_TEST_POSTGRES;
  if (given) return given;
  server ??= startPostgres();
  return (await server).url;
}

after(async () => {
  await (await server)?.stop();
});

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
