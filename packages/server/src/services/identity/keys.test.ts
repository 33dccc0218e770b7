import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { openSqliteStore } from "../../stores/sqlite.ts";
import { onEachDatabase } from "../../testing/databases.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { bootstrap } from "./bootstrap.ts";
import { createKeys, hashKey } from "./keys.ts";

async function setUp(context: TestContext) {
  const store = await openSqliteStore(await temporaryFolder(context));
  context.after(() => store.close());
  const { adminId } = await bootstrap(store, "operator-chosen-key");
  let time = Date.parse("2026-05-01T12:00:00Z");
  const keys = createKeys(store, () => time);
  const later = (seconds: number): void => {
    time += seconds * 1000;
  };
  return { store, adminId, keys, later, time: () => time };
}

describe("API keys", () => {
  it("are random, and only their hash is stored", async (context) => {
    const { keys, adminId } = await setUp(context);
    const [one, two] = [await keys.create(adminId, "one"), await keys.create(adminId, "two")];
    assert.match(one.secret, /^pl-[\w-]{43}$/);
    assert.notEqual(one.secret, two.secret);
    const rows = JSON.stringify(await keys.list(adminId));
    assert.ok(!rows.includes(one.secret) && !rows.includes("operator-chosen-key"));
    assert.equal(one.record.prefix, one.secret.slice(0, 9));
  });

  it("are valid until the exact moment of expiry", async (context) => {
    const { keys, adminId, later, time } = await setUp(context);
    const { secret } = await keys.create(adminId, "short", new Date(time() + 10_000));
    later(9.999);
    assert.equal((await keys.authenticate(`Bearer ${secret}`)).userId, adminId);
    later(0.001);
    await assert.rejects(keys.authenticate(`Bearer ${secret}`), { code: "expired_api_key" });
  });

  it("stop working when they are revoked", async (context) => {
    const { keys, adminId } = await setUp(context);
    const { secret, record } = await keys.create(adminId, "gone");
    await keys.authenticate(`Bearer ${secret}`);
    await keys.revoke(record.id);
    await assert.rejects(keys.authenticate(`Bearer ${secret}`), { code: "revoked_api_key" });
  });

  it("record their last use, exact to the minute", async (context) => {
    const { keys, adminId, later } = await setUp(context);
    const { secret, record } = await keys.create(adminId, "used");
    const lastUsed = async () => (await keys.list(adminId)).find((key) => key.id === record.id)?.lastUsedAt;
    assert.equal(await lastUsed(), null);
    await keys.authenticate(`Bearer ${secret}`);
    assert.equal(await lastUsed(), "2026-05-01T12:00:00.000Z");
    later(59);
    await keys.authenticate(`Bearer ${secret}`);
    assert.equal(await lastUsed(), "2026-05-01T12:00:00.000Z");
    later(2);
    await keys.authenticate(`Bearer ${secret}`);
    assert.equal(await lastUsed(), "2026-05-01T12:01:01.000Z");
  });

  it("still authenticate when the last use cannot be written", async (context) => {
    const { store, adminId, keys } = await setUp(context);
    const { secret } = await keys.create(adminId, "used");
    const faults: unknown[] = [];
    const apiKeys = { ...store.apiKeys, touch: () => Promise.reject(new Error("disk full")) };
    const fragile = createKeys({ ...store, apiKeys }, Date.now, (error) => faults.push(error));
    assert.equal((await fragile.authenticate(`Bearer ${secret}`)).userId, adminId);
    assert.equal(faults.length, 1);
  });
});

describe("guessing API keys", () => {
  it("gains nothing from the lookup: it uses the hash of the whole secret, and no prefix is compared", async (context) => {
    const { store, keys, adminId } = await setUp(context);
    const { secret, record } = await keys.create(adminId, "real");
    const queries: string[] = [];
    const apiKeys = new Proxy(store.apiKeys, {
      get(target, name, receiver) {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) => {
          queries.push(`${String(name)} ${JSON.stringify(args)}`);
          return method.apply(target, args);
        };
      },
    });
    const watched = createKeys({ ...store, apiKeys });
    const guesses = [
      `${record.prefix}${"A".repeat(secret.length - record.prefix.length)}`,
      `${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`,
      `pl-${"A".repeat(43)}`,
    ];
    for (const guess of guesses) {
      await assert.rejects(watched.authenticate(`Bearer ${guess}`), {
        code: "invalid_api_key",
        message: "Invalid API key",
      });
    }
    assert.deepEqual(
      queries,
      guesses.map((guess) => `findOwned ${JSON.stringify([hashKey(guess)])}`),
    );
    // One different letter gives an unrelated hash, so the timing of a comparison reveals nothing about the secret.
    const shared = (one: string, two: string) => [...one].findIndex((letter, i) => letter !== two[i]);
    assert.ok(shared(hashKey(guesses[1] ?? ""), record.hash) < 16);
  });
});

describe("the keys of an account", () => {
  it("are renamed and revoked only by their owner (403 for others, 404 for unknown ids), up to a maximum number", async (context) => {
    const { keys, adminId, store } = await setUp(context);
    const { record } = await keys.create(adminId, "old name");
    assert.equal((await keys.change(adminId, record.id, { name: "new name" })).name, "new name");
    for (const [owner, id, code] of [
      ["f".repeat(32), record.id, "forbidden"],
      [adminId, "f".repeat(32), "unknown_key"],
    ] as const) {
      await assert.rejects(keys.change(owner, id, { name: "x" }), { code });
      await assert.rejects(keys.revokeOwn(owner, id), { code });
    }
    assert.equal((await store.apiKeys.find(record.id))?.name, "new name");
    for (let i = 2; i < 100; i += 1) await keys.create(adminId, `key ${i}`);
    await assert.rejects(keys.create(adminId, "one more"), { code: "too_many_keys" });
    await keys.revokeOwn(adminId, record.id);
    await keys.revokeOwn(adminId, record.id);
    await keys.create(adminId, "one more");
  });
});

onEachDatabase("the limit of keys", (newDatabase) => {
  it("holds for keys that are created at once, on PostgreSQL by several servers", {
    timeout: 120_000,
  }, async (context) => {
    const database = await newDatabase(context);
    const store = await database.open();
    const other = database.config.databaseUrl === undefined ? store : await database.open();
    const { adminId } = await bootstrap(store, "operator-chosen-key");
    const outcomes = await Promise.all(
      Array.from({ length: 110 }, (_, i) =>
        createKeys(i % 2 === 0 ? store : other)
          .create(adminId, `key ${i}`)
          .then(
            () => "created",
            (error: { code?: string }) => error.code,
          ),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome === "created").length, 99);
    assert.equal(outcomes.filter((outcome) => outcome === "too_many_keys").length, 11);
    assert.equal((await createKeys(store).list(adminId)).length, 100);
  });

  it("lists the valid ones and a hundred others at most", { timeout: 120_000 }, async (context) => {
    const store = await (await newDatabase(context)).open();
    const { adminId } = await bootstrap(store, undefined);
    let now = Date.now();
    const keys = createKeys(store, () => now++);
    const revoked: string[] = [];
    for (let count = 0; count < 210; count += 1) {
      const { record } = await keys.create(adminId, `key ${count}`);
      if (count === 0) continue;
      await keys.revoke(record.id);
      revoked.push(record.id);
    }
    const listed = await keys.list(adminId);
    // The key of the first start, the oldest of these, and the newest of those that were revoked.
    assert.deepEqual(
      listed.slice(1, 2).map(({ name }) => name),
      ["key 0"],
    );
    assert.deepEqual(
      listed.slice(2).map(({ id }) => id),
      revoked.slice(-198),
    );
  });
});

describe("the first start", () => {
  it("creates an admin and one key, which later starts do not show again", async (context) => {
    const store = await openSqliteStore(await temporaryFolder(context));
    context.after(() => store.close());
    const first = await bootstrap(store, undefined);
    const keys = createKeys(store);
    assert.equal((await keys.authenticate(`Bearer ${first.freshKey}`)).userId, first.adminId);
    assert.equal((await store.users.find(first.adminId))?.role, "admin");
    assert.deepEqual(await bootstrap(store, undefined), {
      adminId: first.adminId,
      freshKey: undefined,
      signInToken: undefined,
      warnings: [],
    });
    assert.equal((await keys.list(first.adminId)).length, 1);
  });

  it("stores the configured key once, and adds another when the setting changes", async (context) => {
    const store = await openSqliteStore(await temporaryFolder(context));
    context.after(() => store.close());
    const { adminId, freshKey } = await bootstrap(store, "operator-chosen-key");
    assert.equal(freshKey, undefined);
    await bootstrap(store, "operator-chosen-key");
    const keys = createKeys(store);
    assert.equal((await keys.list(adminId)).length, 1);
    await bootstrap(store, "operator-changed-key");
    for (const secret of ["operator-chosen-key", "operator-changed-key"]) {
      assert.equal((await keys.authenticate(`Bearer ${secret}`)).userId, adminId);
    }
  });

  it("does not restore a revoked key", async (context) => {
    const store = await openSqliteStore(await temporaryFolder(context));
    context.after(() => store.close());
    const { adminId } = await bootstrap(store, "operator-chosen-key");
    const keys = createKeys(store);
    const [key] = await keys.list(adminId);
    await keys.revoke(key?.id ?? "");
    const { warnings } = await bootstrap(store, "operator-chosen-key");
    assert.match(warnings.join(), /revoked/);
    await assert.rejects(keys.authenticate("Bearer operator-chosen-key"), { code: "revoked_api_key" });
  });
});
