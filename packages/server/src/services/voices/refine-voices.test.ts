import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cloningEngine, MachinesLostError, SpeechError } from "@parlance/speech";
import { ObjectStorageError } from "../../stores/object-storage.ts";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { INSTANT_ENCODER, instantCloning } from "../../testing/instant-cloning.ts";
import { beats, setUpRefinement } from "../../testing/refinement.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import type { RefinementJobsParts } from "./refinement-jobs.ts";
import { createVoiceService } from "./voices.ts";

type Refine = RefinementJobsParts["cloning"]["refine"];

const SIMILARITY = { before: 0.61, after: 0.68 };
const OFFSETS = new Float32Array(cloningEngine.cloning.decoderOffsetsSize).fill(0.5);
const refined: Refine = async ({ voice }) => ({
  voice: { ...voice, embedding: voice.embedding.map((value) => value + 10), decoderOffsets: OFFSETS },
  similarity: SIMILARITY,
});
const endless: Refine = async (_, signal) => {
  await sleep(100_000, undefined, { signal });
  throw new Error("it was not ended");
};

onEachDatabase("the refinement of voices", (newDatabase) => {
  it("stores the refined voice with its similarity, once among several nodes", async (context) => {
    const { store, make, refineOn, stateOf, soundOf, spokenOf } = await setUp(context, newDatabase);
    const ids = [await make(INSTANT_ENCODER, { recordings: ["one", "two"] }), await make(INSTANT_ENCODER)];
    await store.voiceBlobs.put(ids[0] ?? "", "sample", { number: 0, type: "x", text: "1", bytes: Buffer.from("old") });
    const read: string[][] = [];
    const paths: string[] = [];
    const refine: Refine = async (request, signal) => {
      paths.push(...request.recordings);
      read.push(await Promise.all(request.recordings.map((path) => readFile(path, "utf8"))));
      assert.equal(request.share, 0.5);
      assert.deepEqual([request.voice.prosody, request.voice.encoder], ["af_heart", INSTANT_ENCODER]);
      return refined(request, signal);
    };
    await Promise.all([refineOn(refine), refineOn(refine), refineOn(refine)]);
    for (const id of ids) {
      await until(async () => (await stateOf(id)) === "done");
      const voice = await store.voices.find(id);
      assert.deepEqual([voice?.version, voice?.refinementSimilarity], [2, SIMILARITY]);
      assert.deepEqual(await soundOf(id), [11, INSTANT_ENCODER]);
      assert.equal(await store.voiceBlobs.find(id, "sample"), undefined);
      const custom = await spokenOf(id);
      assert.deepEqual([custom?.decoderOffsets, custom?.embedding[0]], [OFFSETS, 11]);
    }
    assert.deepEqual(read.map((texts) => texts.join()).toSorted(), ["one,two", "speech"]);
    for (const path of paths) await assert.rejects(access(path), { code: "ENOENT" });
    const jobs = await refineOn(refine);
    await beats(jobs.node);
    assert.equal(read.length, ids.length, "nothing is left to refine");
  });

  it("lets accounts take turns", { timeout: 60_000 }, async (context) => {
    const { store, make, refineOn } = await setUp(context, newDatabase);
    const [many = "", one = ""] = [await insertUser(store), await insertUser(store)].toSorted();
    for (const userId of [many, many, many, many, one]) await make(INSTANT_ENCODER, { recordings: [userId], userId });
    const owners: string[] = [];
    await refineOn(async (request, signal) => {
      owners.push(await readFile(request.recordings[0] ?? "", "utf8"));
      return refined(request, signal);
    });
    await until(() => owners.length === 5);
    assert.ok(owners.slice(0, 2).includes(one), owners.join());
  });

  it("leaves a voice as it is where recordings that were left out do not agree", async (context) => {
    const { store, make, refineOn, stateOf, soundOf } = await setUp(context, newDatabase);
    const id = await make(INSTANT_ENCODER);
    const similarity = { before: 0.7, after: 0.7 };
    await refineOn(async () => ({ voice: undefined, similarity }));
    await until(async () => (await stateOf(id)) === "done");
    const voice = await store.voices.find(id);
    assert.deepEqual([voice?.version, voice?.refinementSimilarity], [1, similarity]);
    assert.deepEqual(await soundOf(id), [1, INSTANT_ENCODER]);
  });

  it("ends without figures where nothing is kept of the recordings", async (context) => {
    const { store, make, refineOn, stateOf } = await setUp(context, newDatabase);
    const id = await make(INSTANT_ENCODER, { recordings: [] });
    await refineOn(refined);
    await until(async () => (await stateOf(id)) === "done");
    const voice = await store.voices.find(id);
    assert.deepEqual([voice?.version, voice?.refinementSimilarity], [1, undefined]);
  });

  it("follows when a voice was made anew, which removes its decoder offsets", async (context) => {
    const { store, make, refineOn, stateOf, soundOf, spokenOf } = await setUp(context, newDatabase);
    const id = await make(INSTANT_ENCODER);
    const first = await refineOn(refined);
    await until(async () => (await stateOf(id)) === "done");
    await first.close();
    await store.remakeQueue.enqueue(id);
    let isRefining = false;
    await refineOn(async (...request) => {
      isRefining = true;
      return endless(...request);
    });
    await until(() => isRefining);
    assert.deepEqual([await stateOf(id), await soundOf(id)], ["running", [2, INSTANT_ENCODER]]);
    assert.equal(await store.voiceBlobs.find(id, "decoder-offsets"), undefined);
    assert.equal((await spokenOf(id))?.decoderOffsets, undefined);
    assert.equal((await store.voices.find(id))?.refinementSimilarity, undefined);
  });

  it("does not delay other voices that wait for their pace", async (context) => {
    const { store, make, refineOn, stateOf, soundOf } = await setUp(context, newDatabase);
    const long = await make(INSTANT_ENCODER);
    const jobs = await refineOn(endless);
    await until(async () => (await stateOf(long)) === "running");
    const other = await make(INSTANT_ENCODER);
    await store.remakeQueue.enqueue(other);
    jobs.wake();
    await until(async () => (await soundOf(other))[0] === 2);
    assert.deepEqual([await stateOf(long), await stateOf(other)], ["running", "waiting"]);
  });

  it("continues on another node when a node stops or crashes meanwhile", async (context) => {
    const { store, make, refineOn, stateOf, soundOf } = await setUp(context, newDatabase);
    const id = await make(INSTANT_ENCODER);
    const stopped = await refineOn(endless);
    await until(async () => (await stateOf(id)) === "running");
    await stopped.close();
    assert.deepEqual([await stateOf(id), await soundOf(id)], ["waiting", [1, INSTANT_ENCODER]]);
    assert.equal((await store.refinementQueue.claim("crashed"))?.voiceId, id);
    await store.refinementQueue.requeueAfterCrash("crashed");
    await refineOn(refined);
    await until(async () => (await stateOf(id)) === "done");
    assert.deepEqual(await soundOf(id), [11, INSTANT_ENCODER]);
  });

  it("leaves a voice as it is where it fails, until the next start, three times", async (context) => {
    const { store, make, start, stateOf, soundOf } = await setUp(context, newDatabase);
    const id = await make(INSTANT_ENCODER);
    let attempts = 0;
    for (const expected of [1, 2, 3, 3]) {
      let machines = 1;
      const refine: Refine = async () => {
        attempts++;
        throw attempts % 2 ? new SpeechError("failed", "a worker is gone") : new MachinesLostError("machines are gone");
      };
      const jobs = await start({ canRefine: () => machines > 0, refine }, 0.5);
      await until(async () => (await stateOf(id)) === "failed");
      // Machines that come back are no start.
      machines = 0;
      await beats(jobs.node);
      machines = 1;
      await beats(jobs.node);
      assert.deepEqual([attempts, await stateOf(id)], [expected, "failed"]);
      await jobs.close();
    }
    assert.deepEqual(await soundOf(id), [1, INSTANT_ENCODER]);
    assert.match((await store.voices.find(id))?.refinementError ?? "", /failed several times/);
    await store.remakeQueue.retry(id);
    await start({ canRefine: () => true, refine: refined }, 0.5);
    await until(async () => (await stateOf(id)) === "done");
  });

  for (const fault of [
    new ObjectStorageError("the object storage cannot be reached"),
    new SpeechError("overloaded", "too many recordings wait to be decoded", 1),
    new SpeechError("not_ready", "the machines have to be upgraded", 1),
    Object.assign(new Error("too many open files"), { code: "EMFILE" }),
    Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" }),
  ])
    it(`waits for the next heartbeat, however often: ${fault.message}`, async (context) => {
      const { make, start, stateOf } = await setUp(context, newDatabase);
      const [first, second] = [await make(INSTANT_ENCODER), await make(INSTANT_ENCODER)];
      let attempts = 0;
      let heartbeats = 0;
      const refine: Refine = async (...request) => {
        attempts++;
        if (attempts <= 8) throw fault;
        return refined(...request);
      };
      // Before that, heartbeats are not counted.
      let canRefine = false;
      const jobs = await start({ canRefine: () => canRefine, refine }, 0.5);
      jobs.node.onHeartbeat(async () => {
        heartbeats++;
        jobs.wake();
      });
      canRefine = true;
      for (const id of [first, second]) await until(async () => (await stateOf(id)) === "done");
      assert.equal(attempts, 10);
      assert.ok(heartbeats >= 8, `${heartbeats} heartbeats`);
    });

  it("continues where its end was not written", async (context) => {
    const { store, make, refineOn, stateOf } = await setUp(context, newDatabase);
    const id = await make(INSTANT_ENCODER);
    const jobs = await refineOn(refined);
    await until(async () => (await stateOf(id)) === "done");
    // As it is when the database is away at the end of a job.
    await store.refinementQueue.enqueue(id);
    await store.refinementQueue.claim(jobs.node.id);
    jobs.wake();
    await until(async () => (await stateOf(id)) === "done");
    assert.equal((await store.voices.find(id))?.version, 3);
  });

  it("continues with voices of a node that is gone, after the start", async (context) => {
    const { store, make, refineOn, stateOf } = await setUp(context, newDatabase);
    const jobs = await refineOn(refined);
    const id = await make(INSTANT_ENCODER);
    await beats(jobs.node);
    await store.refinementQueue.enqueue(id);
    await store.refinementQueue.claim("removed");
    await until(async () => (await stateOf(id)) === "done");
  });

  it("is cancelled when its voice is deleted, here or on another node, or is to be made anew", async (context) => {
    const { store, make, refineOn } = await setUp(context, newDatabase);
    const ends: ((id: string, jobs: Awaited<ReturnType<typeof refineOn>>) => Promise<unknown>)[] = [
      async (id, jobs) => {
        await store.voices.remove(id);
        jobs.cancel(id);
      },
      (id) => store.voices.remove(id),
      () => store.remakeQueue.enqueueOutdated("kokoro", "another encoder"),
    ];
    for (const end of ends) {
      const id = await make(INSTANT_ENCODER);
      let isRefining = false;
      let reason: unknown;
      const jobs = await refineOn(async (request, signal) => {
        isRefining = true;
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        return endless(request, signal);
      });
      await until(() => isRefining);
      await end(id, jobs);
      await until(() => reason !== undefined);
      assert.match(String(reason), /the voice was deleted/);
      await jobs.close();
    }
  });

  it("of a voice that another version of the voice encoder has made waits for the next start", async (context) => {
    const { store, make, refineOn, stateOf, soundOf } = await setUp(context, newDatabase);
    const encoders: string[] = [];
    const refine: Refine = async (request, signal) => {
      encoders.push(request.voice.encoder);
      return refined(request, signal);
    };
    const jobs = await refineOn(refine);
    // As a node of that version leaves it in the midst of an upgrade.
    const [id, own] = [await make("earlier"), await make(INSTANT_ENCODER)];
    for (const each of [id, own]) await store.refinementQueue.enqueue(each);
    await until(async () => (await stateOf(own)) === "done");
    await beats(jobs.node);
    assert.deepEqual([encoders, await stateOf(id)], [[INSTANT_ENCODER], "waiting"]);
    assert.equal(jobs.isRefined({ encoder: "earlier" }), false);
    await jobs.close();
    await refineOn(refine);
    await until(async () => (await stateOf(id)) === "done");
    assert.deepEqual(
      [encoders, await soundOf(id)],
      [
        [INSTANT_ENCODER, INSTANT_ENCODER],
        [12, INSTANT_ENCODER],
      ],
    );
  });

  it("uses the version of the start where files are replaced under a running server", async (context) => {
    const { store, make, start, stateOf } = await setUp(context, newDatabase);
    let encoder = INSTANT_ENCODER;
    const jobs = await start({ canRefine: () => true, refine: refined, encoderVersion: async () => encoder }, 0.5);
    encoder = "upgraded";
    const id = await make(INSTANT_ENCODER);
    await store.refinementQueue.enqueue(id);
    await until(async () => (await stateOf(id)) === "done");
    await beats(jobs.node);
    assert.deepEqual([(await store.voices.find(id))?.version, await stateOf(id)], [2, "done"]);
  });

  it("begins once voices can be refined", async (context) => {
    const { make, start, stateOf } = await setUp(context, newDatabase);
    const id = await make(INSTANT_ENCODER);
    let canRefine = false;
    await start({ canRefine: () => canRefine, refine: refined }, 0.5);
    assert.equal(await stateOf(id), undefined);
    canRefine = true;
    await until(async () => (await stateOf(id)) === "done");
  });

  it("follows for voices that were stored while no machine was there for a moment", {
    timeout: 60_000,
  }, async (context) => {
    const { make, start, stateOf } = await setUp(context, newDatabase);
    let canRefine = true;
    const jobs = await start({ canRefine: () => canRefine, refine: refined }, 0.5);
    await beats(jobs.node);
    // Shorter than the time between two heartbeats.
    canRefine = false;
    assert.equal(jobs.isRefined({ encoder: INSTANT_ENCODER }), false);
    canRefine = true;
    await beats(jobs.node);
    const id = await make(INSTANT_ENCODER);
    await until(async () => (await stateOf(id)) === "done");
  });

  it("does not take place with a share of 0", async (context) => {
    const { store, make, start, stateOf, soundOf } = await setUp(context, newDatabase);
    const [waiting, outdated, plain] = [
      await make(INSTANT_ENCODER),
      await make("earlier"),
      await make(INSTANT_ENCODER),
    ];
    await store.refinementQueue.enqueue(waiting);
    await store.nodes.heartbeat("another", "2026-01-01T00:00:00.000Z");
    let refinements = 0;
    const refine: Refine = async (...request) => {
      refinements++;
      return refined(...request);
    };
    const { close, node, isRefined } = await start({ canRefine: () => true, refine }, 0);
    assert.equal(isRefined({ encoder: INSTANT_ENCODER }), false);
    await until(async () => (await stateOf(outdated)) === "done");
    await beats(node);
    assert.equal(await stateOf(waiting), "waiting", "another node may refine it");
    await store.nodes.remove("another");
    await until(async () => (await stateOf(waiting)) === "done");
    assert.deepEqual([await stateOf(plain), await soundOf(outdated)], [undefined, [2, INSTANT_ENCODER]]);
    assert.equal(refinements, 0);
    await close();
    await start({ canRefine: () => true, refine: refined }, 1);
    for (const id of [waiting, outdated, plain])
      await until(async () => (await store.voices.find(id))?.refinementSimilarity !== undefined);
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase) {
  const { store, ...rest } = await setUpRefinement(context, newDatabase);
  const voices = createVoiceService({ store, files: { saved: () => Promise.reject() }, speech: createToneSpeech() });
  return {
    ...rest,
    store,
    /** A node that refines voices in this way. */
    refineOn: (refine: Refine) => rest.start({ ...instantCloning, canRefine: () => true, refine }, 0.5),
    stateOf: async (id: string) => (await store.voices.find(id))?.refinement,
    /** The voice as its engine gets it. */
    async spokenOf(id: string) {
      const voice = await store.voices.find(id);
      return voice && (await voices.spoken(voice))?.custom;
    },
  };
}
