import assert from "node:assert/strict";
import { it } from "node:test";
import { onPostgres } from "../../testing/databases.ts";
import { holdTransaction } from "../../testing/held-transaction.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { createKeys } from "./keys.ts";

/** More than a node has connections to its database. */
const REQUESTS = 30;

onPostgres("requests that wait for a transaction of another node", (newDatabase) => {
  it("keep no other account waiting while one creates keys", { timeout: 60_000 }, async (context) => {
    const database = await newDatabase(context);
    const [here, there] = [await database.open(), await database.open()];
    const [busy, other] = [await insertUser(here), await insertUser(here)];
    const keys = createKeys(here);
    const release = await holdTransaction(there.transaction, ({ users }) => users.lock(busy));
    const waiting = Promise.all(Array.from({ length: REQUESTS }, () => keys.create(busy, "key")));
    try {
      assert.equal((await keys.create(other, "key")).record.userId, other);
    } finally {
      await release();
    }
    await waiting;
    assert.equal((await keys.list(busy)).length, REQUESTS);
  });

  it("keep nobody waiting who needs no transaction of that kind", { timeout: 60_000 }, async (context) => {
    const database = await newDatabase(context);
    const [here, there] = [await database.open(), await database.open()];
    const userId = await insertUser(here);
    const release = await holdTransaction(there.exclusively, async () => {});
    const counted = Promise.all(
      Array.from({ length: REQUESTS }, () => here.exclusively(({ users }) => users.countAdmins())),
    );
    try {
      assert.equal((await here.users.find(userId))?.id, userId);
    } finally {
      await release();
    }
    assert.equal((await counted).length, REQUESTS);
  });
});
