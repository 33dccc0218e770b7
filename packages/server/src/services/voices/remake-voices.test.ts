import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SpeechError } from "@parlance/speech";
import { ObjectStorageError } from "../../stores/object-storage.ts";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { INSTANT_ENCODER, INSTANT_NETWORK, instantCloning } from "../../testing/instant-cloning.ts";
import { beats, setUpRefinement } from "../../testing/refinement.ts";
import { until } from "../../testing/until.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { networkVectorBlob } from "./recording-analysis.ts";
import type { RefinementJobsParts } from "./refinement-jobs.ts";

type Remake = RefinementJobsParts["cloning"]["remake"];
type Recordings = Parameters<Remake>[0];

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
    await beats((await start(remake)).node);
    assert.equal(remade, outdated.length, "nothing is left to do");
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

  it("have failed after three starts that fail, until their owner starts them again", async (context) => {
    const { store, make, start } = await setUp(context, newDatabase);
    const id = await make("earlier");
    let attempts = 0;
    for (const expected of [1, 2, 3, 3]) {
      const broken = await start(async () => {
        attempts++;
        throw new Error("a damaged model");
      });
      await until(async () => (await store.voices.find(id))?.refinement === "failed");
      await beats(broken.node);
      await broken.close();
      assert.equal(attempts, expected);
    }
    assert.match((await store.voices.find(id))?.refinementError ?? "", /failed several times/);
    await store.remakeQueue.retry(id);
    await start(instantCloning.remake);
    await until(async () => (await store.voices.find(id))?.refinement === "done");
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

  it("of one account do not keep a new voice of another one waiting", { timeout: 60_000 }, async (context) => {
    const { store, make, start } = await setUp(context, newDatabase);
    const [many = "", one = ""] = [await insertUser(store), await insertUser(store)].toSorted();
    for (let voice = 0; voice < 4; voice++) await make("earlier", { recordings: [many], userId: many });
    await sleep(2); // The new voice is the youngest.
    await store.remakeQueue.enqueue(await make(INSTANT_ENCODER, { recordings: [one], userId: one }));
    const owners: string[] = [];
    await start(instantCloning.remake, async ({ path }) => {
      owners.push(await readFile(path, "utf8"));
      return undefined;
    });
    await until(() => owners.length === 5);
    assert.ok(owners.slice(0, 2).includes(one), owners.join());
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

onEachDatabase("recordings of voices that are made anew", (newDatabase) => {
  const version = (network: string, value: number) => ({ values: new Float32Array(128).fill(value), network });
  const remembering = (given: Recordings[]): Remake => {
    return (recordings, signal) => {
      given.push(recordings);
      return instantCloning.remake(recordings, signal);
    };
  };

  it("are analyzed again where the vector of this speaker network is not stored, once", async (context) => {
    const { store, make, start, vectorsOf } = await setUp(context, newDatabase);
    const id = await make("earlier", { recordings: ["first", "second", "third"] });
    await store.voiceBlobs.put(id, "network-vector", { number: 1, ...networkVectorBlob(version(INSTANT_NETWORK, 5)) });
    await store.voiceBlobs.put(id, "network-vector", { number: 2, ...networkVectorBlob(version("earlier", 6)) });
    const given: Recordings[] = [];
    const analyzed: string[] = [];
    await start(remembering(given), async ({ path }) => {
      analyzed.push(await readFile(path, "utf8"));
      return version(INSTANT_NETWORK, 3);
    });
    await until(async () => (await store.voices.find(id))?.refinement === "done");
    assert.deepEqual(analyzed, ["first", "third"]);
    const expected = [3, 5, 3].map((value) => version(INSTANT_NETWORK, value));
    assert.deepEqual(
      given.map((recordings) => recordings.map(({ networkVector }) => networkVector)),
      [expected],
    );
    assert.deepEqual(await vectorsOf(id), [
      [0, INSTANT_NETWORK, 3],
      [1, INSTANT_NETWORK, 5],
      [2, INSTANT_NETWORK, 3],
    ]);
    await store.remakeQueue.enqueue(id);
    await start(remembering(given), () => Promise.reject(new Error("nothing is to be analyzed")));
    await until(() => given.length === 2);
    assert.deepEqual(
      given[1]?.map(({ networkVector }) => networkVector),
      expected,
    );
  });

  it("that cannot be analyzed again leave a voice without their vectors", async (context) => {
    const { store, make, start, vectorsOf } = await setUp(context, newDatabase);
    const id = await make("earlier", { recordings: ["damaged", "from an earlier machine", "whole"] });
    await store.voiceBlobs.put(id, "network-vector", { number: 0, ...networkVectorBlob(version("earlier", 6)) });
    const given: Recordings[] = [];
    await start(remembering(given), async ({ path }) => {
      const recording = await readFile(path, "utf8");
      if (recording === "damaged") throw new Error("it cannot be decoded");
      return recording === "whole" ? version(INSTANT_NETWORK, 3) : undefined;
    });
    await until(async () => (await store.voices.find(id))?.refinement === "done");
    assert.deepEqual(
      given[0]?.map(({ networkVector }) => networkVector),
      [undefined, undefined, version(INSTANT_NETWORK, 3)],
    );
    assert.deepEqual(await vectorsOf(id), [
      [0, "earlier", 6],
      [2, INSTANT_NETWORK, 3],
    ]);
  });
});

/** The text of a recording of a new voice is not known. */
onEachDatabase("new voices without texts", (newDatabase) => {
  const RECORDING = { number: 0, type: "audio/ogg", text: null, bytes: Buffer.from("speech") };

  async function setUpNew(context: TestContext) {
    const { store, make, startWith, ...rest } = await setUp(context, newDatabase);
    return {
      ...rest,
      store,
      startWith,
      async makeNew(): Promise<string> {
        const id = await make(INSTANT_ENCODER);
        await store.voiceBlobs.put(id, "recording", RECORDING);
        await store.remakeQueue.enqueue(id);
        return id;
      },
      async resultOf(id: string) {
        const [recording] = await store.voiceBlobs.list(id, "recording");
        return [(await store.voices.find(id))?.refinement, recording?.text];
      },
    };
  }

  for (const fault of [
    new ObjectStorageError("the object storage cannot be reached"),
    new SpeechError("overloaded", "too many recordings wait", 1),
    Object.assign(new Error("no space left on the device"), { code: "ENOSPC" }),
  ])
    it(`wait for the next heartbeat, however often: ${fault.message}`, { timeout: 60_000 }, async (context) => {
      const { makeNew, startWith, resultOf } = await setUpNew(context);
      const ids = [await makeNew(), await makeNew()];
      let attempts = 0;
      await startWith({
        transcribe: async () => {
          attempts++;
          if (attempts <= 6) throw fault;
          return "known now";
        },
      });
      for (const id of ids) {
        await until(async () => (await resultOf(id))[0] === "done");
        assert.deepEqual(await resultOf(id), ["done", "known now"]);
      }
      assert.equal(attempts, 8);
    });

  it("also wait where a machine is away while the voice is made", { timeout: 60_000 }, async (context) => {
    const { makeNew, start, resultOf } = await setUpNew(context);
    const id = await makeNew();
    let attempts = 0;
    await start(async (...request) => {
      attempts++;
      if (attempts <= 4) throw new SpeechError("overloaded", "no machine is there", 1);
      return instantCloning.remake(...request);
    });
    await until(async () => (await resultOf(id))[0] === "done");
    assert.equal(attempts, 5);
  });

  it("are made without the text of a recording that cannot be transcribed", { timeout: 60_000 }, async (context) => {
    const { makeNew, startWith, resultOf } = await setUpNew(context);
    const id = await makeNew();
    await startWith({ transcribe: () => Promise.reject(new SpeechError("failed", "the recognizer has crashed")) });
    await until(async () => (await resultOf(id))[0] === "done");
    assert.deepEqual(await resultOf(id), ["done", null]);
  });

  it("wait for a recognizer for a quarter of an hour", { timeout: 60_000 }, async (context) => {
    const { makeNew, startWith, resultOf } = await setUpNew(context);
    const id = await makeNew();
    let time = Date.now();
    let isReady = false;
    const listening = { canTranscribe: () => isReady, transcribe: async () => (isReady ? "heard" : undefined) };
    const { node } = await startWith({ ...listening, now: () => time });
    await beats(node);
    assert.deepEqual(await resultOf(id), ["waiting", null]);
    isReady = true;
    await until(async () => (await resultOf(id))[0] === "done");
    assert.deepEqual(await resultOf(id), ["done", "heard"]);
    isReady = false;
    const second = await makeNew();
    await beats(node);
    assert.deepEqual(await resultOf(second), ["waiting", null]);
    time += 16 * 60_000;
    await until(async () => (await resultOf(second))[0] === "done");
  });

  it("continue where the end of the work was not written", { timeout: 60_000 }, async (context) => {
    const { store, makeNew, startWith, resultOf } = await setUpNew(context);
    let isReady = false;
    const { node } = await startWith({ canTranscribe: () => isReady });
    const id = await makeNew();
    // As it is when the database is away at the end of a job.
    assert.equal((await store.remakeQueue.claim(node.id))?.voiceId, id);
    isReady = true;
    await until(async () => (await resultOf(id))[0] === "done");
  });

  it("come after others of the account when they have crashed a node", async (context) => {
    const { store, makeNew } = await setUpNew(context);
    const crashing = await makeNew();
    await store.remakeQueue.claim("crashed");
    await sleep(2); // The other one is younger.
    const other = await makeNew();
    await store.remakeQueue.requeueAfterCrash("crashed");
    assert.equal((await store.remakeQueue.claim("n"))?.voiceId, other);
    assert.equal((await store.remakeQueue.claim("n"))?.voiceId, crashing);
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase) {
  const { start, ...rest } = await setUpRefinement(context, newDatabase);
  return {
    ...rest,
    startWith: (listening: Parameters<typeof start>[2]) => start({}, 0, listening),
    start: (remake: Remake, networkVectorOf = instantCloning.networkVectorOf) => start({ remake, networkVectorOf }),
  };
}
