import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../stores/store.ts";
import { type NewDatabase, onEachDatabase, onPostgres } from "../../testing/databases.ts";
import { until } from "../../testing/until.ts";
import { createNode, type NodeOptions } from "./node.ts";

const EXPIRY_MS = 300;

onEachDatabase("the nodes of a database", (newDatabase) => {
  it("are listed from start to close", async (context) => {
    const { store, start } = await setUp(context, newDatabase);
    const node = await start();
    assert.deepEqual(
      (await store.nodes.list()).map(({ id }) => id),
      [node.id],
    );
    await node.close();
    await node.close();
    assert.deepEqual(await store.nodes.list(), []);
  });

  it("expire a node without heartbeat, and no other, whatever their clocks say", async (context) => {
    const { store, start } = await setUp(context, newDatabase);
    await store.nodes.heartbeat("gone", "2999-01-01T00:00:00.000Z");
    const expired: string[] = [];
    const onExpired = async (id: string) => void expired.push(id);
    const first = await start({ now: () => performance.now() });
    const second = await start({ now: () => Date.now() * 9 });
    first.onNodeExpired(onExpired);
    second.onNodeExpired(onExpired);
    await until(() => expired.length > 0);
    // Long enough for a live node to expire by mistake.
    await sleep(2 * EXPIRY_MS);
    assert.deepEqual([...new Set(expired)], ["gone"]);
    assert.deepEqual((await store.nodes.list()).map(({ id }) => id).sort(), [first.id, second.id].sort());
  });

  it("remove an expired node only when all work for it has succeeded", async (context) => {
    const { store, start } = await setUp(context, newDatabase);
    await store.nodes.heartbeat("gone", "2026-01-01T00:00:00.000Z");
    let tries = 0;
    const node = await start();
    node.onNodeExpired(async () => {
      tries += 1;
      if (tries < 3) throw new Error("not now");
    });
    await until(() => tries === 3);
    await until(async () => (await store.nodes.list()).length === 1);
    assert.equal(tries, 3);
  });

  it("run their periodic work, and close their own open work at the end", async (context) => {
    const { start } = await setUp(context, newDatabase);
    const node = await start();
    let runs = 0;
    const expired: string[] = [];
    node.onHeartbeat(async () => {
      runs += 1;
      throw new Error("a failed run does not stop the next");
    });
    node.onNodeExpired(async (id) => void expired.push(id));
    await until(() => runs > 2);
    await node.close();
    assert.deepEqual(expired, [node.id]);
  });
});

// With SQLite a file lock shows which nodes are alive.
onPostgres("nodes after a database outage", (newDatabase) => {
  it("do not expire each other", async (context) => {
    let away = false;
    const { start } = await setUp(context, newDatabase, (store) => {
      const ifThere = <Result>(work: () => Promise<Result>): Promise<Result> =>
        away ? Promise.reject(new Error("connection refused")) : work();
      const { nodes } = store;
      return {
        ...store,
        nodes: {
          ...nodes,
          heartbeat: (id, at) => ifThere(() => nodes.heartbeat(id, at)),
          list: () => ifThere(() => nodes.list()),
        },
      };
    });
    const expired: string[] = [];
    let beats = 0;
    const [first, second] = [await start(), await start()];
    for (const node of [first, second]) {
      node.onNodeExpired(async (id) => void expired.push(id));
      node.onHeartbeat(async () => {
        beats += 1;
      });
    }
    await until(() => beats > 4);
    away = true;
    await sleep(2 * EXPIRY_MS);
    away = false;
    beats = 0;
    await until(() => beats > 8);
    assert.deepEqual(expired, []);
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase, wrap = (store: Store): Store => store) {
  const store = wrap(await (await newDatabase(context)).open());
  const start = async (options: NodeOptions = {}) => {
    const node = createNode(store, { heartbeatMs: 20, expiryMs: EXPIRY_MS, ...options });
    await node.start();
    context.after(() => node.close());
    return node;
  };
  return { store, start };
}
