import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../stores/store.ts";
import { type NewDatabase, onEachDatabase, onPostgres } from "../../testing/databases.ts";
import { until } from "../../testing/until.ts";
import { createNode, type NodeOptions } from "./node.ts";

const SILENT_MS = 300;

onEachDatabase("the nodes of a database", (newDatabase) => {
  it("are known from their start to their end", async (context) => {
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

  it("bury one that is silent for long, and nobody else, whatever their clocks say", async (context) => {
    const { store, start } = await setUp(context, newDatabase);
    await store.nodes.beat("ghost", "2999-01-01T00:00:00.000Z");
    const buried: string[] = [];
    const bury = async (id: string) => void buried.push(id);
    const first = await start({ now: () => performance.now() });
    const second = await start({ now: () => Date.now() * 9 });
    first.onDead(bury);
    second.onDead(bury);
    await until(() => buried.length > 0);
    // Long enough for a living one to be taken for dead.
    await sleep(2 * SILENT_MS);
    assert.deepEqual([...new Set(buried)], ["ghost"]);
    assert.deepEqual((await store.nodes.list()).map(({ id }) => id).sort(), [first.id, second.id].sort());
  });

  it("forget a dead one only when everything was done for it", async (context) => {
    const { store, start } = await setUp(context, newDatabase);
    await store.nodes.beat("ghost", "2026-01-01T00:00:00.000Z");
    let tries = 0;
    const node = await start();
    node.onDead(async () => {
      tries += 1;
      if (tries < 3) throw new Error("not now");
    });
    await until(() => tries === 3);
    while ((await store.nodes.list()).length > 1) await sleep(5);
    assert.equal(tries, 3);
  });

  it("do their chores, and close what is theirs when they leave", async (context) => {
    const { start } = await setUp(context, newDatabase);
    const node = await start();
    let chores = 0;
    const buried: string[] = [];
    node.onBeat(async () => {
      chores += 1;
      throw new Error("a fault in one round is not the end");
    });
    node.onDead(async (id) => void buried.push(id));
    await until(() => chores > 2);
    await node.close();
    assert.deepEqual(buried, [node.id]);
  });
});

// Elsewhere a lock tells who lives.
onPostgres("nodes whose database was away", (newDatabase) => {
  it("do not take each other for dead when it is back", async (context) => {
    let away = false;
    const { start } = await setUp(context, newDatabase, (store) => {
      const ifThere = <Result>(work: () => Promise<Result>): Promise<Result> =>
        away ? Promise.reject(new Error("connection refused")) : work();
      const { nodes } = store;
      return {
        ...store,
        nodes: {
          ...nodes,
          beat: (id, at) => ifThere(() => nodes.beat(id, at)),
          list: () => ifThere(() => nodes.list()),
        },
      };
    });
    const buried: string[] = [];
    let beats = 0;
    const [first, second] = [await start(), await start()];
    for (const node of [first, second]) {
      node.onDead(async (id) => void buried.push(id));
      node.onBeat(async () => {
        beats += 1;
      });
    }
    await until(() => beats > 4);
    away = true;
    await sleep(2 * SILENT_MS);
    away = false;
    beats = 0;
    await until(() => beats > 8);
    assert.deepEqual(buried, []);
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase, wrap = (store: Store): Store => store) {
  const store = wrap(await (await newDatabase(context)).open());
  const start = async (options: NodeOptions = {}) => {
    const node = createNode(store, { beatMs: 20, silentMs: SILENT_MS, ...options });
    await node.start();
    context.after(() => node.close());
    return node;
  };
  return { store, start };
}
