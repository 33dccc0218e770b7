import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import Database from "libsql";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { startTestServer } from "../testing/test-server.ts";
import { databasePath, openSqliteStore } from "./sqlite.ts";
import { keepDamagedLog } from "./wal-check.ts";

const ROWS = 20;

/** A database and its log, as a killed process leaves them: each row is a transaction. */
async function killed(context: TestContext) {
  const original = join(await temporaryFolder(context), "original.db");
  const database = new Database(original);
  database.exec("pragma journal_mode = wal");
  database.exec("create table t (n integer)");
  database.exec("pragma wal_checkpoint(truncate)");
  for (let n = 0; n < ROWS; n += 1) database.prepare("insert into t values (?)").run(n);
  const [main, log] = [readFileSync(original), readFileSync(`${original}-wal`)];
  database.close();
  const folder = await temporaryFolder(context);
  const file = databasePath(folder);
  writeFileSync(file, main);
  writeFileSync(`${file}-wal`, log);
  const rows = (): number => {
    const again = new Database(file);
    const { count } = again.prepare("select count(*) as count from t").get() as { readonly count: number };
    again.close();
    return count;
  };
  const damage = (from: number, to: number): void => {
    const damaged = Buffer.from(log);
    writeFileSync(`${file}-wal`, damaged.fill(0xa5, from, to));
  };
  return {
    folder,
    file,
    log,
    rows,
    damage,
    copies: () => readdirSync(folder).filter((name) => name.includes("damaged")),
  };
}

describe("a write-ahead log", () => {
  it("that a killed process has left is not damaged", async (context) => {
    const { file, log, rows, copies } = await killed(context);
    assert.equal(keepDamagedLog(file, 0), undefined);
    // The last transaction was not written to its end.
    truncateSync(`${file}-wal`, log.length - 100);
    assert.equal(keepDamagedLog(file, 0), undefined);
    assert.deepEqual(copies(), []);
    assert.equal(rows(), ROWS - 1);
  });

  it("that is damaged in its middle is kept, and what was lost is counted", async (context) => {
    const { file, log, rows, damage, copies } = await killed(context);
    damage(log.length / 2, log.length / 2 + 64);
    const found = keepDamagedLog(file, 5);
    assert.equal(found?.kept, `${file}-wal.damaged-5`);
    assert.deepEqual(copies(), ["parlance.db-wal.damaged-5"]);
    const left = rows();
    assert.ok(left > 0 && left < ROWS, `${left} rows`);
    // The transaction of the damaged frame itself may not be countable.
    assert.ok([ROWS - left, ROWS - left - 1].includes(found?.lost ?? 0), `${found?.lost} lost, ${left} left`);
  });

  it("that is damaged at its beginning is kept", async (context) => {
    const { file, rows, damage } = await killed(context);
    damage(0, 32);
    const found = keepDamagedLog(file, 5);
    assert.ok(found !== undefined && found.lost === undefined && existsSync(found.kept));
    assert.equal(rows(), 0);
  });

  it("with frames of an older log behind its own is not damaged", async (context) => {
    const folder = await temporaryFolder(context);
    const store = await openSqliteStore(folder);
    context.after(() => store.close());
    const file = databasePath(folder);
    const other = new Database(file);
    for (let n = 0; n < 30; n += 1) await store.nodes.heartbeat(`n${n}`, "2026-05-01T12:00:00.000Z");
    other.exec("pragma wal_checkpoint(restart)");
    await store.nodes.heartbeat("last", "2026-05-01T12:00:00.000Z");
    assert.equal(keepDamagedLog(file, 0), undefined);
    other.close();
  });
});

describe("a server whose write-ahead log is damaged", { timeout: 60_000 }, () => {
  it("starts with what is whole, logs it, and keeps a copy", async (context) => {
    const [folder, data] = [await temporaryFolder(context), await temporaryFolder(context)];
    const store = await openSqliteStore(folder);
    context.after(() => store.close());
    for (let n = 0; n < 30; n += 1) await store.nodes.heartbeat(`n${n}`, "2026-05-01T12:00:00.000Z");
    const file = databasePath(data);
    writeFileSync(file, readFileSync(databasePath(folder)));
    const log = readFileSync(`${databasePath(folder)}-wal`);
    // The tables are in the database already; the log begins with the heartbeats.
    writeFileSync(`${file}-wal`, log.fill(0xa5, 40_000, 44_000));
    const server = await startTestServer({ config: { data } });
    context.after(() => server.close());
    const line = server.log.find((each) => each.includes('"database.log-damaged"')) ?? assert.fail("not logged");
    const { kept, lost } = JSON.parse(line) as { readonly kept: string; readonly lost: number };
    assert.ok(existsSync(kept) && lost > 0, line);
    assert.equal((await server.post({ text: "Hello.", format: "pcm" })).status, 200);
  });
});

describe("a damaged database", () => {
  it("is named at the start, with the remedy", async (context) => {
    const folder = await temporaryFolder(context);
    await (await openSqliteStore(folder)).close();
    const file = databasePath(folder);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xa5, 100, bytes.length));
    await assert.rejects(openSqliteStore(folder), (error: Error) => {
      assert.match(error.message, /^The database [^\n]+parlance\.db is damaged [^\n]+parlance restore/);
      return true;
    });
  });
});
