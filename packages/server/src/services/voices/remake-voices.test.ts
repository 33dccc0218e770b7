import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../stores/store.ts";
import { createLog } from "../../telemetry/log.ts";
import { databaseFiles } from "../../testing/database-files.ts";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { INSTANT_ENCODER, instantCloning } from "../../testing/instant-cloning.ts";
import { until } from "../../testing/until.ts";
import { clonedVoice } from "../../testing/voice-record.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { createNode } from "../cluster/node.ts";
import { toBytes, toNumbers } from "./embedding.ts";
import { createRefinementJobs, type RefinementJobsParts } from "./refinement-jobs.ts";

type Remake = RefinementJobsParts["cloning"]["remake"];

onEachDatabase("voices of an earlier voice encoder", (newDatabase) => {
  it("are made anew after the start, once among several nodes", async (context) => {
    const { store, make, start, soundOf } = await setUp(context, newDatabase);
    const current = await make(INSTANT_ENCODER);
    const outdated = [await make("earlier"), await make(null), await make("earlier")];
    let remade = 0;
    const remake: Remake = (...request) => {
      remade++;
      return instantCloning.remake(...request);
    };
    await Promise.all([start(remake), start(remake), start(remake)]);
    await until(async () => {
      const states = await Promise.all(outdated.map(async (id) => (await store.voices.find(id))?.refinement));
      return states.every((state) => state === "done");
    });
    assert.equal(remade, outdated.length);
    for (const id of outdated) {
      const voice = await store.voices.find(id);
      assert.deepEqual([voice?.version, await soundOf(id)], [2, [2, INSTANT_ENCODER]]);
    }
    const untouched = await store.voices.find(current);
    assert.deepEqual([untouched?.version, await soundOf(current)], [1, [1, INSTANT_ENCODER]]);
    await start(remake);
    assert.equal(await store.refinementQueue.claim("nobody"), undefined, "nothing is left to do");
  });

  it("keep their sound where that fails, and are tried again at the next start", async (context) => {
    const { store, make, start, soundOf } = await setUp(context, newDatabase);
    const id = await make("earlier");
    const broken = await start(() => Promise.reject(new Error("a damaged model")));
    await until(async () => (await store.voices.find(id))?.refinement === "failed");
    assert.deepEqual([(await store.voices.find(id))?.version, await soundOf(id)], [1, [1, "earlier"]]);
    await broken.close();
    await start(instantCloning.remake);
    await until(async () => (await store.voices.find(id))?.refinement === "done");
    assert.deepEqual(await soundOf(id), [2, INSTANT_ENCODER]);
  });

  it("are continued by the next start when a node stops meanwhile", async (context) => {
    const { store, make, start, soundOf } = await setUp(context, newDatabase);
    const id = await make("earlier");
    let isRemaking = false;
    const stopped = await start(async (_, signal) => {
      isRemaking = true;
      await sleep(60_000, undefined, { signal });
      throw new Error("the node was not stopped");
    });
    await until(() => isRemaking);
    await stopped.close();
    assert.deepEqual(await soundOf(id), [1, "earlier"]);
    await start(instantCloning.remake);
    await until(async () => (await store.voices.find(id))?.refinement === "done");
    assert.deepEqual(await soundOf(id), [2, INSTANT_ENCODER]);
  });

  it("that a machine of an earlier version made again wait for the start after its upgrade", async (context) => {
    const { store, make, start, soundOf } = await setUp(context, newDatabase);
    const id = await make("earlier");
    const early = await start(async (...request) => ({ ...(await instantCloning.remake(...request)), encoder: "" }));
    await until(async () => (await store.voices.find(id))?.refinement === "done");
    assert.deepEqual(await soundOf(id), [2, null]);
    await early.close();
    await start(instantCloning.remake);
    await until(async () => (await soundOf(id))[1] === INSTANT_ENCODER);
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase) {
  const closing: (() => Promise<void>)[] = [];
  // Before the store is closed: such functions run in the order in which they are given.
  context.after(async () => {
    for (const close of closing) await close();
  });
  const store: Store = await (await newDatabase(context)).open();
  const userId = await insertUser(store);
  return {
    store,
    /** A voice whose embedding this version of the encoder made. */
    async make(encoder: string | null): Promise<string> {
      const voice = clonedVoice({ userId });
      const numbers = (text: string | null, values: Float32Array) =>
        ({ number: 0, type: "float32", text, bytes: toBytes(values) }) as const;
      await store.transaction(async (records) => {
        await records.voices.insert(voice);
        await records.voiceBlobs.put(voice.id, "embedding", numbers(encoder, new Float32Array(128).fill(1)));
        await records.voiceBlobs.put(
          voice.id,
          "heard",
          numbers(null, Float32Array.of(4, 120, ...Array(128).fill(0.1))),
        );
      });
      return voice.id;
    },
    /** The refinement jobs of another node. */
    async start(remake: Remake) {
      const node = createNode(store, { heartbeatMs: 50, expiryMs: 60_000 });
      const jobs = createRefinementJobs({
        store,
        files: databaseFiles(store),
        node,
        cloning: { ...instantCloning, remake },
        transcribe: async () => undefined,
        log: createLog("silent"),
      });
      await node.start();
      closing.push(jobs.close, node.close);
      await jobs.start();
      return jobs;
    },
    /** The first number of its embedding, and the version of the encoder. */
    async soundOf(id: string) {
      const blob = await store.voiceBlobs.find(id, "embedding");
      return [blob && toNumbers(blob.bytes)[0], blob?.text];
    },
  };
}
