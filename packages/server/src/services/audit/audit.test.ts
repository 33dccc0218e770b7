import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { createAudit } from "./audit.ts";

async function setUp(context: TestContext, newDatabase: NewDatabase, maxEntries = 1000) {
  const store = await (await newDatabase(context)).open();
  let time = Date.parse("2026-11-16T12:00:00.000Z");
  const faults: unknown[] = [];
  const audit = createAudit(store, {
    days: 10,
    maxEntries,
    now: () => {
      time += 1;
      return time;
    },
    onFault: (error) => faults.push(error),
  });
  return {
    store,
    audit,
    faults,
    pass(days: number) {
      time += days * 86_400_000;
    },
    list: (filter: object = {}) => audit.list({ ...filter, pageSize: 10, pageNumber: 1 }),
  };
}

onEachDatabase("the audit log", (newDatabase) => {
  it("names accounts as they were called, newest first, and filters", async (context) => {
    const { store, audit, list, faults } = await setUp(context, newDatabase);
    const userId = await insertUser(store, { plan: "free", createdAt: "2026-01-01T00:00:00.000Z" });
    await store.users.update(userId, { email: "ada@example.org" }, "2026-01-02T00:00:00.000Z");
    await audit.record({ action: "sign-in", actor: { userId }, address: "192.0.2.7", details: { by: "password" } });
    const target = { id: "v".repeat(32), name: "Clara 100%" };
    await audit.record({ action: "voice.created", actor: { userId }, keyId: "k1", target });
    await audit.record({ action: "sign-in.failed", address: "198.51.100.1" });
    assert.deepEqual(faults, []);
    const all = await list();
    assert.deepEqual(
      all.entries.map(({ action, actor }) => [action, actor?.name ?? null]),
      [
        ["sign-in.failed", null],
        ["voice.created", "ada@example.org"],
        ["sign-in", "ada@example.org"],
      ],
    );
    assert.deepEqual(all.entries[1]?.target, target);
    const actions = async (filter: object) => (await list(filter)).entries.map(({ action }) => action);
    assert.deepEqual(await actions({ action: "sign-in" }), ["sign-in"]);
    assert.deepEqual(await actions({ search: "ADA@" }), ["voice.created", "sign-in"]);
    assert.deepEqual(await actions({ search: "100%" }), ["voice.created"]);
    assert.deepEqual(await actions({ search: "198.51" }), ["sign-in.failed"]);
    const middle = all.entries[1]?.at;
    assert.deepEqual(await actions({ since: middle }), ["sign-in.failed", "voice.created"]);
    assert.deepEqual(await actions({ until: middle }), ["sign-in"]);
    const second = await audit.list({ pageSize: 2, pageNumber: 2 });
    assert.deepEqual([second.total, second.entries.length], [3, 1]);
  });

  it("deletes entries that are too old", async (context) => {
    const { audit, list, pass } = await setUp(context, newDatabase);
    await audit.record({ action: "sign-out" });
    pass(9);
    await audit.record({ action: "sign-in" });
    await audit.sweep();
    assert.equal((await list()).total, 2);
    pass(2);
    await audit.sweep();
    assert.deepEqual(
      (await list()).entries.map(({ action }) => action),
      ["sign-in"],
    );
  });

  it("keeps a bounded number of entries", async (context) => {
    const { audit, list } = await setUp(context, newDatabase, 5);
    for (let i = 0; i < 12; i += 1) await audit.record({ action: "sign-in.failed", details: { i } });
    await audit.sweep();
    const { total, entries } = await list();
    assert.ok(total <= 6, `${total} entries`);
    assert.equal(entries[0]?.details.i, 11);
  });

  it("records settings once for as long as they stay the same", async (context) => {
    const { audit, list } = await setUp(context, newDatabase);
    for (const port of ["1", "1", "2"]) await audit.recordSettings({ PARLANCE_PORT: port });
    assert.deepEqual(
      (await list({ action: "settings.changed" })).entries.map(({ details }) => details),
      [{ PARLANCE_PORT: "2" }, { PARLANCE_PORT: "1" }],
    );
  });

  it("reports a write that fails, and continues", async (context) => {
    const { store, audit, faults } = await setUp(context, newDatabase);
    await store.close();
    await audit.record({ action: "sign-out" });
    assert.equal(faults.length, 1);
  });
});
