import { dayOf, OPERATIONS } from "@parlance/protocol";
import type { Store } from "@parlance/server";
import Database from "libsql";
import pg from "pg";
import { createUsage } from "../packages/server/src/services/usage/usage.ts";
import { reportUsage } from "../packages/server/src/services/usage/usage-report.ts";
import { databasePath } from "../packages/server/src/stores/sqlite.ts";
import { round } from "./statistics.ts";

const DAYS = 3 * 365;
const KEYS = 20;
/** Per key, day and operation: enough to fill the histograms like a busy account. */
const REQUESTS = 30;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const SCALE_MS = 90;

/** Writes the usage of several years, then queries it. */
export async function benchUsage(store: Store, size: () => Promise<number>): Promise<Record<string, number>> {
  let day = FIRST_DAY;
  const usage = createUsage(store, { now: () => day, flushMs: 3_600_000 });
  const emptySize = await size();
  const start = performance.now();
  for (let index = 0; index < DAYS; index++) {
    day = FIRST_DAY + index * DAY_MS;
    for (let request = 0; request < KEYS * OPERATIONS.length * REQUESTS; request++) {
      const operation = OPERATIONS[request % OPERATIONS.length] ?? "tts";
      const keyId = String(Math.floor(request / OPERATIONS.length) % KEYS).padStart(32, "0");
      // Most have their first audio soon, a few late.
      const firstAudioMs = SCALE_MS * (0.7 + 0.6 * Math.random()) * (Math.random() < 0.05 ? 4 : 1);
      usage.record({
        userId: "a".repeat(32),
        keyId,
        operation,
        status: 200,
        characters: 160,
        audioSeconds: 9.87,
        credits: 160,
        firstAudioMs,
      });
    }
    await usage.flush();
  }
  const writeMs = (performance.now() - start) / DAYS;
  await usage.close();
  const rows = DAYS * KEYS * OPERATIONS.length;
  const bytes = (await size()) - emptySize;
  const query = { from: dayOf(FIRST_DAY), to: dayOf(day), userId: "a".repeat(32) };
  const month = { ...query, from: dayOf(day - 29 * DAY_MS) };
  return {
    rows,
    megabytes: round(bytes / 2 ** 20, 1),
    "bytes a row": round(bytes / rows),
    "ms to write a day (60 rows)": round(writeMs, 1),
    "ms to report a month by day": round(await timeOf(() => reportUsage(store, { ...month, groupBy: "day" })), 1),
    "ms to report 3 years by key": round(await timeOf(() => reportUsage(store, { ...query, groupBy: "key" })), 1),
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Pages in use, without the free list. */
export async function sqliteSize(folder: string): Promise<number> {
  const database = new Database(databasePath(folder));
  try {
    const numberOf = (name: string) => Object.values(database.prepare(`pragma ${name}`).get() as object)[0] as number;
    return (numberOf("page_count") - numberOf("freelist_count")) * numberOf("page_size");
  } finally {
    database.close();
  }
}

export async function postgresSize(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("select pg_total_relation_size('usage')::text as size");
    return Number(rows[0]?.size);
  } finally {
    await client.end();
  }
}
