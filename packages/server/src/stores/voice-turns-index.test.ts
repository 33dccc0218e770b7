import assert from "node:assert/strict";
import { it } from "node:test";
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from "kysely";
import Database from "libsql";
import pg from "pg";
import { onEachDatabase, type TestDatabase } from "../testing/databases.ts";
import { clonedVoice } from "../testing/voice-record.ts";
import { insertUser } from "../testing/wallet-user.ts";
import { databasePath } from "./sqlite.ts";
import type { Tables } from "./tables.ts";
import { claimInTurns } from "./voice-turns.ts";

const queues = [
  { waiting: "queued", running: "running", index: "voices_to_remake_of_user" },
  { waiting: "refinable", running: "refining", index: "voices_to_refine_of_user" },
] as const;

onEachDatabase("the look for the next voice", (newDatabase) => {
  for (const { waiting, running, index, encoder } of queues.flatMap((queue) =>
    [undefined, "v1"].map((encoder) => ({ ...queue, encoder })),
  ))
    it(`reads ${waiting} voices ${encoder ? "of an encoder " : ""}in the order of their index`, {
      timeout: 60_000,
    }, async (context) => {
      const database = await newDatabase(context);
      const store = await database.open();
      const userId = await insertUser(store);
      for (let voice = 0; voice < 20; voice++) await store.voices.insert(clonedVoice({ userId }));
      const plans = await plansOf(database.config, (db) => claimInTurns(db, { waiting, running })("n", "m", encoder));
      assert.equal(plans.length, 2, "after the account of the turn before, and from the first account");
      for (const plan of plans) {
        assert.match(plan, new RegExp(`\\b${index}\\b`));
        assert.doesNotMatch(plan, /sort|b-tree/i);
      }
    });
});

/** The plans of the queries of some work. */
async function plansOf(
  { data, databaseUrl }: TestDatabase["config"],
  work: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const isSqlite = databaseUrl === undefined;
  const dialect = isSqlite
    ? new SqliteDialect({ database: new Database(databasePath(data)) })
    : new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) });
  const db = new Kysely<Tables>({ dialect, log: ({ query }) => void queries.push(query) });
  try {
    await work(db);
    const asked = [...queries];
    // PostgreSQL reads a table as small as this one as a whole, unless it must not.
    if (!isSqlite) await db.executeQuery(CompiledQuery.raw("set enable_seqscan = off"));
    const plans: string[] = [];
    for (const { sql, parameters } of asked) {
      const explain = CompiledQuery.raw(`explain ${isSqlite ? "query plan" : ""} ${sql}`, [...parameters]);
      plans.push(JSON.stringify((await db.executeQuery(explain)).rows));
    }
    return plans;
  } finally {
    await db.destroy();
  }
}
