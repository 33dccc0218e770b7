import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it, type TestContext } from "node:test";
import { runScript } from "../testing/run-script.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { backupSqlite, restoreSqlite } from "./backup.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openSqliteStore } from "./sqlite.ts";
import { StoreError } from "./store-error.ts";

/** A process that keeps the database open and writes. */
async function writer(context: TestContext, data: string, name = "") {
  const script = runScript("hold-store.ts", data, name);
  context.after(() => script.kill("SIGKILL"));
  await once(createInterface(script.stdout), "line");
  return async () => {
    const exit = once(script, "exit");
    script.kill("SIGTERM");
    await exit;
  };
}

const emails = async (folder: string): Promise<readonly (string | null)[]> => {
  const store = await openSqliteStore(folder);
  const users = await store.users.list({ offset: 0, limit: 1_000_000 });
  await store.close();
  return users.map(({ email }) => email);
};

// What has the database open are other processes here: in this one, closed connections hold their locks until they are
// collected.
describe("a backup", { timeout: 600_000 }, () => {
  it("is consistent while another process writes, and readable by its owner only", async (context) => {
    const folder = await temporaryFolder(context);
    const stop = await writer(context, join(folder, "data"));
    const counts: number[] = [];
    const hasGrown = () => (counts.at(-1) ?? 0) > (counts[0] ?? 0);
    // The backup is synchronous, so wait until the other process has written too.
    for (let i = 0; i < 5 || !hasGrown(); i += 1) {
      const file = join(folder, `it's ${i}.db`);
      backupSqlite(join(folder, "data"), file);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      restoreSqlite(join(folder, `restored-${i}`), file);
      const found = await emails(join(folder, `restored-${i}`));
      assert.equal(found.filter((email) => email?.startsWith("a")).length, found.length / 2);
      counts.push(found.length);
    }
    await stop();
  });

  it("does not replace a file without the option, and leaves no partial file", async (context) => {
    const folder = await temporaryFolder(context);
    const data = join(folder, "data");
    assert.throws(() => backupSqlite(data, join(folder, "x.db")), /There is no database to back up/);
    await (await openSqliteStore(data)).close();
    const file = join(folder, "x.db");
    await writeFile(file, "precious");
    assert.throws(() => backupSqlite(data, file), /exists already/);
    assert.equal(await readFile(file, "utf8"), "precious");
    backupSqlite(data, file, { overwrite: true });
    assert.notEqual(await readFile(file, "utf8"), "precious");
    assert.throws(() => backupSqlite(data, join(folder, "no", "such", "folder.db")), StoreError);
    assert.deepEqual(readdirSync(folder).toSorted(), ["data", "x.db"]);
  });
});

describe("a restore", { timeout: 600_000 }, () => {
  it("restores all records, and keeps the replaced database", async (context) => {
    const folder = await temporaryFolder(context);
    const [data, file] = [join(folder, "data"), join(folder, "backup.db")];
    await (await writer(context, data))();
    backupSqlite(data, file);
    restoreSqlite(join(folder, "other"), file);
    const saved = await emails(join(folder, "other"));
    await (await writer(context, data, "later"))();
    const kept = join(folder, "kept.txt");
    assert.deepEqual(await once(runScript("restore-store.ts", data, file, kept), "exit"), [0, null]);
    assert.deepEqual(await emails(data), saved);
    const old = await readFile(kept, "utf8");
    assert.match(old, /parlance\.db\.before-[\dTZ-]+$/);
    await rename(old, join(folder, "parlance.db"));
    assert.ok((await emails(folder)).length > saved.length);
    assert.equal(statSync(join(data, "parlance.db")).mode & 0o777, 0o600);
  });

  it("is refused while another process has the database open, and changes nothing", async (context) => {
    const folder = await temporaryFolder(context);
    const [data, file] = [join(folder, "data"), join(folder, "backup.db")];
    const stop = await writer(context, data);
    backupSqlite(data, file);
    assert.throws(() => restoreSqlite(data, file), /^StoreError: Nothing was restored: the database is in use: stop/);
    await stop();
    assert.ok((await emails(data)).length > 0);
    assert.deepEqual(
      readdirSync(data).filter((name) => /partial|before/.test(name)),
      [],
    );
  });

  it("is refused for a damaged file, a foreign file, or a newer schema", async (context) => {
    const folder = await temporaryFolder(context);
    const data = join(folder, "data");
    await (await openSqliteStore(data)).close();
    const backup = join(folder, "good.db");
    backupSqlite(data, backup);
    const bad = join(folder, "bad.db");
    const refused = (reason: RegExp) => assert.throws(() => restoreSqlite(data, bad), reason);
    refused(/There is no file/);
    await writeFile(bad, "not a database at all, but a text that is long enough to look at");
    refused(/is not a backup of Parlance/);
    await writeFile(bad, await readFile(backup));
    await truncate(bad, Math.floor(statSync(backup).size / 2));
    refused(/damaged|not a backup/);
    await rm(bad);
    const future = join(folder, "future");
    await (await openSqliteStore(future, [...MIGRATIONS, { name: "later", up: async () => {} }])).close();
    backupSqlite(future, bad);
    refused(/schema version \d+, this program knows only up to \d+/);
    await writeFile(`${bad}-wal`, "x");
    refused(/in use; make a backup of it/);
  });
});
