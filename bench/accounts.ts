/** The cost of accounts: per request (authentication, limits, billing), and on disk (usage over years). */
import { closeSync, existsSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@parlance/server";
import { openPostgresStore } from "../packages/server/src/stores/postgres.ts";
import { openSqliteStore } from "../packages/server/src/stores/sqlite.ts";
import { postgresMissing, startPostgres } from "../packages/server/src/testing/postgres.ts";
import { benchRequests } from "./accounts-http.ts";
import { benchServices } from "./accounts-services.ts";
import { benchUsage, postgresSize, sqliteSize } from "./accounts-usage.ts";

/** A folder in memory, on Linux. */
const MEMORY = "/dev/shm";

interface BenchDatabase {
  readonly name: string;
  /** Where its files are. */
  readonly folder: string;
  open(): Promise<Store>;
  /** Size of the usage table in bytes, with its indexes. */
  usageSize(): Promise<number>;
}

/**
 * The embedded database, then the same in memory (which leaves the cost of the code), then PostgreSQL where it is
 * installed. Databases wait for the disk at every commit.
 */
export async function benchAccounts(): Promise<unknown> {
  const figures: Record<string, unknown> = {};
  for await (const database of databases()) {
    console.log(`\n${database.name}: milliseconds of each step of a request`);
    const store = await database.open();
    try {
      const services = await withSyncedWrite(database.folder, (write) => benchServices(store, write));
      console.table(services);
      console.log(`${database.name}: milliseconds of a request for a tone over HTTP`);
      const requests = await benchRequests(store);
      console.table(requests);
      console.log(`${database.name}: usage of 20 keys over 3 years`);
      const usage = await benchUsage(store, database.usageSize);
      console.table(usage);
      figures[database.name] = { services, requests, usage };
    } finally {
      await store.close();
    }
  }
  return figures;
}

/** Writes as much as a small commit. */
async function withSyncedWrite<Result>(parent: string, work: (write: () => void) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(parent, "parlance-bench-"));
  const file = openSync(join(folder, "file"), "w");
  const bytes = Buffer.alloc(8192);
  try {
    return await work(() => {
      writeSync(file, bytes);
      fdatasyncSync(file);
    });
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

async function* embedded(name: string, parent: string): AsyncGenerator<BenchDatabase> {
  const folder = mkdtempSync(join(parent, "parlance-bench-"));
  try {
    yield { name, folder, open: () => openSqliteStore(folder), usageSize: () => sqliteSize(folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function* databases(): AsyncGenerator<BenchDatabase> {
  yield* embedded("embedded", tmpdir());
  if (existsSync(MEMORY)) yield* embedded("embedded, in memory", MEMORY);
  if (postgresMissing !== undefined) {
    console.log(`\nPostgreSQL is not measured: ${postgresMissing}`);
    return;
  }
  const server = await startPostgres({ syncs: true });
  try {
    yield {
      name: "PostgreSQL",
      folder: tmpdir(),
      open: () => openPostgresStore(server.url),
      usageSize: () => postgresSize(server.url),
    };
  } finally {
    await server.stop();
  }
}
