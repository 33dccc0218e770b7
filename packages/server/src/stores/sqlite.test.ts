import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { runScript } from "../testing/run-script.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openSqliteStore } from "./sqlite.ts";
import { type ApiKeyRecord, StoreError, type UserRecord } from "./store.ts";

const user: UserRecord = {
  id: "a".repeat(32),
  role: "user",
  nickname: "Ada",
  email: "ada@example.org",
  createdAt: "2026-01-01T00:00:00.000Z",
};
const key: ApiKeyRecord = {
  id: "b".repeat(32),
  userId: user.id,
  name: "laptop",
  prefix: "pl-abc",
  hash: "c".repeat(64),
  createdAt: "2026-01-02T00:00:00.000Z",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

describe("the embedded database", () => {
  it("keeps records over a restart", async (context) => {
    const folder = await temporaryFolder(context);
    const first = await openSqliteStore(folder);
    await first.users.insert(user);
    await first.apiKeys.insert(key);
    await first.close();

    const store = await openSqliteStore(folder);
    context.after(() => store.close());
    assert.deepEqual(await store.users.find(user.id), user);
    assert.equal(await store.users.find("nobody"), undefined);
    assert.equal(await store.users.findFirstAdmin(), undefined);
    assert.deepEqual(await store.apiKeys.findByHash(key.hash), key);
    assert.deepEqual(await store.apiKeys.listOf(user.id), [key]);
    assert.deepEqual(await store.apiKeys.listOf("nobody"), []);
  });

  it("revokes a key once and writes its last use only when the one on record is old", async (context) => {
    const store = await openSqliteStore(await temporaryFolder(context));
    context.after(() => store.close());
    await store.users.insert(user);
    await store.apiKeys.insert(key);
    await store.apiKeys.touch(key.id, "2026-01-03T00:00:30.000Z", "2026-01-02T23:59:30.000Z");
    await store.apiKeys.touch(key.id, "2026-01-03T00:00:50.000Z", "2026-01-02T23:59:50.000Z");
    assert.equal((await store.apiKeys.findByHash(key.hash))?.lastUsedAt, "2026-01-03T00:00:30.000Z");
    assert.equal(await store.apiKeys.revoke(key.id, "2026-01-04T00:00:00.000Z"), true);
    assert.equal(await store.apiKeys.revoke(key.id, "2026-01-05T00:00:00.000Z"), false);
    assert.equal((await store.apiKeys.findByHash(key.hash))?.revokedAt, "2026-01-04T00:00:00.000Z");
  });

  it("refuses a second key with the same hash and a key of nobody", async (context) => {
    const store = await openSqliteStore(await temporaryFolder(context));
    context.after(() => store.close());
    await store.users.insert(user);
    await store.apiKeys.insert(key);
    await assert.rejects(store.apiKeys.insert({ ...key, id: "d".repeat(32) }), /UNIQUE/);
    await assert.rejects(store.apiKeys.insert({ ...key, id: "e", hash: "f", userId: "nobody" }), /FOREIGN KEY/);
  });

  it("keeps all of an exclusive piece of work or nothing", async (context) => {
    const store = await openSqliteStore(await temporaryFolder(context));
    context.after(() => store.close());
    const failing = store.exclusively(async (records) => {
      await records.users.insert(user);
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    assert.equal(await store.users.find(user.id), undefined);
    await store.users.insert(user);
  });

  it("is migrated once when several processes start at the same time", async (context) => {
    const folder = await temporaryFolder(context);
    const starts = Array.from({ length: 3 }, async () => {
      const script = runScript("open-store.ts", folder);
      const [output, [code]] = await Promise.all([text(script.stdout), once(script, "exit")]);
      assert.equal(code, 0);
      return JSON.parse(output) as { adminId: string; fresh: boolean };
    });
    const results = await Promise.all(starts);
    assert.equal(new Set(results.map((result) => result.adminId)).size, 1);
    assert.equal(results.filter((result) => result.fresh).length, 1);
  });

  it("is not touched by a program that is older than it", async (context) => {
    const folder = await temporaryFolder(context);
    const newer = { name: "from the future", up: async () => {} };
    await (await openSqliteStore(folder, [...MIGRATIONS, newer])).close();
    await assert.rejects(openSqliteStore(folder), (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /^The database has schema version 2, this program knows only up to 1: [^\n]+$/);
      return true;
    });
  });

  it("is left as it was when a migration fails", async (context) => {
    const folder = await temporaryFolder(context);
    const failing = {
      name: "fails half way",
      up: async (db: Parameters<(typeof MIGRATIONS)[number]["up"]>[0]) => {
        await db.schema.createTable("half").addColumn("id", "integer").execute();
        throw new Error("no");
      },
    };
    await assert.rejects(openSqliteStore(folder, [...MIGRATIONS, failing]), /no/);
    const store = await openSqliteStore(folder, [...MIGRATIONS, { ...failing, up: async () => {} }]);
    await store.close();
  });

  it("says in one line that it cannot be opened", async (context) => {
    const folder = await temporaryFolder(context);
    const { writeFile } = await import("node:fs/promises");
    await writeFile(`${folder}/file`, "");
    await assert.rejects(openSqliteStore(`${folder}/file`), (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /^The database [^\n]+ cannot be opened: [^\n]+$/);
      return true;
    });
    await writeFile(`${folder}/parlance.db`, "this is not a database, it is a text of some length");
    await assert.rejects(openSqliteStore(folder), StoreError);
  });
});
