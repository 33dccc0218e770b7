import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { it } from "node:test";
import { onEachDatabase } from "../testing/databases.ts";
import { runScript } from "../testing/run-script.ts";
import type { ApiKeyRecord } from "./api-keys.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Migration } from "./migrations/migrate.ts";
import { isTaken, StoreError } from "./store-error.ts";
import type { UserRecord } from "./users.ts";

const user: UserRecord = {
  id: "a".repeat(32),
  role: "member",
  plan: "free",
  nickname: "Ada",
  email: "ada@example.org",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  disabledAt: null,
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
  scopes: null,
  limits: null,
};

onEachDatabase("the store", (newDatabase) => {
  it("keeps one list of pronunciations for each account", async (context) => {
    const store = await (await newDatabase(context)).open();
    await store.users.insert(user);
    assert.deepEqual(await store.pronunciations.find(user.id), {});
    await store.pronunciations.put(user.id, { GIF: "jiff", Łódź: "/wˈut͡ɕ/" });
    await store.pronunciations.put(user.id, { Łódź: "/wˈut͡ɕ/" });
    assert.deepEqual(await store.pronunciations.find(user.id), { Łódź: "/wˈut͡ɕ/" });
    await assert.rejects(store.pronunciations.put("f".repeat(32), {}));
  });

  it("keeps records across a restart", async (context) => {
    const database = await newDatabase(context);
    const first = await database.open();
    await first.users.insert(user);
    await first.apiKeys.insert(key);
    await first.close();

    const store = await database.open();
    assert.deepEqual(await store.users.find(user.id), user);
    assert.equal(await store.users.find("nobody"), undefined);
    assert.equal(await store.users.findFirstAdmin(), undefined);
    assert.deepEqual(await store.apiKeys.findByHash(key.hash), key);
    assert.deepEqual(await store.apiKeys.listOf(user.id, user.createdAt, 10), [key]);
    assert.deepEqual(await store.apiKeys.listOf("nobody", user.createdAt, 10), []);
  });

  it("revokes a key once, and writes its last use only when the stored one is old", async (context) => {
    const store = await (await newDatabase(context)).open();
    await store.users.insert(user);
    await store.apiKeys.insert(key);
    await store.apiKeys.touch(key.id, "2026-01-03T00:00:30.000Z", "2026-01-02T23:59:30.000Z");
    await store.apiKeys.touch(key.id, "2026-01-03T00:00:50.000Z", "2026-01-02T23:59:50.000Z");
    assert.equal((await store.apiKeys.findByHash(key.hash))?.lastUsedAt, "2026-01-03T00:00:30.000Z");
    assert.equal(await store.apiKeys.revoke(key.id, "2026-01-04T00:00:00.000Z"), true);
    assert.equal(await store.apiKeys.revoke(key.id, "2026-01-05T00:00:00.000Z"), false);
    assert.equal((await store.apiKeys.findByHash(key.hash))?.revokedAt, "2026-01-04T00:00:00.000Z");
  });

  it("refuses a second key with the same hash, and a key without an owner", async (context) => {
    const store = await (await newDatabase(context)).open();
    await store.users.insert(user);
    await store.apiKeys.insert(key);
    await assert.rejects(store.apiKeys.insert({ ...key, id: "d".repeat(32) }), isTaken);
    await assert.rejects(
      store.apiKeys.insert({ ...key, id: "e".repeat(32), hash: "f", userId: "nobody" }),
      /foreign key/i,
    );
  });

  it("commits an exclusive transaction as a whole or not at all", async (context) => {
    const store = await (await newDatabase(context)).open();
    const failing = store.exclusively(async (records) => {
      await records.users.insert(user);
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    assert.equal(await store.users.find(user.id), undefined);
    await store.users.insert(user);
  });

  it("is migrated once when several processes start at the same time", async (context) => {
    const { config } = await newDatabase(context);
    const starts = Array.from({ length: 3 }, async () => {
      const script = runScript("open-store.ts", config.data, config.databaseUrl ?? "");
      const [output, [code]] = await Promise.all([text(script.stdout), once(script, "exit")]);
      assert.equal(code, 0);
      return JSON.parse(output) as { adminId: string; fresh: boolean };
    });
    const results = await Promise.all(starts);
    assert.equal(new Set(results.map((result) => result.adminId)).size, 1);
    assert.equal(results.filter((result) => result.fresh).length, 1);
  });

  it("is not changed by an older program", async (context) => {
    const database = await newDatabase(context);
    const newer = { name: "from the future", up: async () => {} };
    await (await database.open([...MIGRATIONS, newer])).close();
    await assert.rejects(database.open(), (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /^The database has schema version \d+, this program knows only up to \d+: [^\n]+$/);
      return true;
    });
  });

  it("is used by an older program when newer ones have only added to it, and by none that a change has left behind", async (context) => {
    const database = await newDatabase(context);
    const newer = (name: string, rest: Partial<Migration> = {}): Migration => ({ name, up: async () => {}, ...rest });
    const added = [...MIGRATIONS, newer("adds a column", { expands: true })];
    await database.open(added);
    const older = await database.open();
    await older.users.insert(user);
    const changed = [...added, newer("drops a column")];
    const newest = await database.open(changed);
    assert.ok(await newest.users.find(user.id));
    await database.open([...changed, newer("adds another", { expands: true })]);
    await database.open(changed);
    for (const left of [MIGRATIONS, added]) await assert.rejects(database.open(left), /run the newer program/);
  });

  it("is unchanged when a migration fails", async (context) => {
    const database = await newDatabase(context);
    const failing = {
      name: "fails half way",
      up: async (db: Parameters<(typeof MIGRATIONS)[number]["up"]>[0]) => {
        await db.schema.createTable("half").addColumn("id", "integer").execute();
        throw new Error("no");
      },
    };
    await assert.rejects(database.open([...MIGRATIONS, failing]), /no/);
    await database.open([...MIGRATIONS, { ...failing, up: async () => {} }]);
  });
});
