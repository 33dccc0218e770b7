import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { type NewDatabase, onEachDatabase } from "../testing/databases.ts";
import { clonedVoice } from "../testing/voice-record.ts";
import { insertUser } from "../testing/wallet-user.ts";
import type { VoiceRecord } from "./voices.ts";

const ENCODER = "present";
const LATER = "2030-01-01T00:00:00.000Z";

onEachDatabase("the refinement queue", (newDatabase) => {
  it("gives each voice to one node, those of before after new ones, the oldest first", async (context) => {
    const { queue, claim, make } = await setUp(context, newDatabase);
    const [oldest, older, fresh] = [await make(1), await make(2), await make(3)];
    assert.equal(await claim("n1"), undefined);
    await queue.enqueue(fresh);
    assert.equal(await queue.enqueueUnrefined("kokoro", ENCODER), 2);
    assert.equal(await queue.enqueueUnrefined("kokoro", ENCODER), 0, "they wait already");
    assert.equal(await claim("n0"), fresh);
    const claims = await Promise.all(["n1", "n2", "n3"].map((node) => claim(node)));
    assert.deepEqual(claims.filter(Boolean).toSorted(), [oldest, older].toSorted());
    assert.equal(await queue.enqueueUnrefined("kokoro", "another encoder"), 0);
  });

  it("tells how far a voice is, and the similarity of its present sound", async (context) => {
    const { queue, claim, store, make, find } = await setUp(context, newDatabase);
    const id = await make();
    await queue.enqueue(id);
    assert.equal((await find(id)).refinement, "waiting");
    await claim("n1");
    assert.equal((await find(id)).refinement, "running");
    assert.deepEqual([await queue.isHeld(id, "n1"), await queue.isHeld(id, "n2")], [true, false]);
    const similarity = { before: 0.66, after: 0.7512 };
    assert.equal(await queue.save(id, "n2", similarity, LATER), false);
    assert.equal(await queue.save(id, "n1", similarity, LATER), true);
    const refined = await find(id);
    assert.deepEqual(
      [refined.refinement, refined.version, refined.updatedAt, refined.refinementSimilarity],
      ["done", 2, LATER, { before: 0.66, after: 0.751 }],
    );
    assert.equal(await queue.enqueueUnrefined("kokoro", ENCODER), 0, "it is refined");
    await store.remakeQueue.enqueue(id);
    await store.remakeQueue.claim("n1");
    const { engine, speaker, pace, pitch, pitchRange } = refined;
    await store.remakeQueue.save(id, "n1", { engine, speaker, pace, pitch, pitchRange }, LATER);
    assert.deepEqual([(await find(id)).version, (await find(id)).refinementSimilarity], [3, undefined]);
    assert.equal(await queue.enqueueUnrefined("kokoro", ENCODER), 1, "it was made anew");
  });

  it("ends with the voice as it was, which is not tried again", async (context) => {
    const { queue, claim, make, find } = await setUp(context, newDatabase);
    const id = await make();
    const before = await find(id);
    await queue.enqueue(id);
    await claim("n1");
    assert.equal(await queue.save(id, "n1", undefined, undefined), true);
    assert.deepEqual(await find(id), { ...before, refinement: "done" });
    assert.equal(await queue.enqueueUnrefined("kokoro", ENCODER), 0);
  });

  it("loses a voice that is to be made anew", async (context) => {
    const { queue, claim, store, make } = await setUp(context, newDatabase);
    const id = await make();
    await queue.enqueue(id);
    await claim("n1");
    assert.equal(await store.remakeQueue.enqueueOutdated("kokoro", "another encoder"), 1);
    assert.equal(await queue.isHeld(id, "n1"), false);
    assert.equal(await queue.save(id, "n1", undefined, LATER), false);
    assert.equal((await store.remakeQueue.claim("n2"))?.voiceId, id);
  });

  it("stores a higher similarity exactly where the refined voice is kept", async (context) => {
    const { queue, claim, make, find } = await setUp(context, newDatabase);
    for (const { similarity, at, stored } of [
      { similarity: { before: 0.7001, after: 0.7003 }, at: LATER, stored: { before: 0.7, after: 0.701 } },
      { similarity: { before: 0.7, after: 0.71 }, at: undefined, stored: { before: 0.7, after: 0.7 } },
    ]) {
      const id = await make();
      await queue.enqueue(id);
      await claim("n");
      await queue.save(id, "n", similarity, at);
      assert.deepEqual((await find(id)).refinementSimilarity, stored);
    }
  });

  it("continues after a shutdown, and after two crashes", async (context) => {
    const { queue, claim, store, make, find } = await setUp(context, newDatabase);
    const id = await make();
    await queue.enqueue(id);
    for (let round = 0; round < 5; round++) {
      assert.equal(await claim("n"), id);
      await queue.requeueAfterStop("n");
    }
    for (let round = 0; round < 3; round++) {
      assert.equal(await claim("n"), id);
      await queue.requeueAfterCrash("n");
    }
    const { refinement, refinementError } = await find(id);
    assert.deepEqual([refinement, /failed several times/.test(refinementError ?? "")], ["failed", true]);
    await queue.retryFailed();
    assert.equal(await queue.enqueueUnrefined("kokoro", ENCODER), 0, "a start does not try again");
    assert.equal(await claim("n"), undefined);
    assert.equal(await store.remakeQueue.enqueueOutdated("kokoro", "another encoder"), 1, "it can be made anew");
  });

  it("leaves voices alone that could not be made anew", async (context) => {
    const { queue, store, make, find } = await setUp(context, newDatabase);
    const id = await make();
    await store.remakeQueue.enqueue(id);
    await store.remakeQueue.claim("n");
    await store.remakeQueue.markFailed(id, "n");
    await queue.retryFailed();
    assert.equal(await queue.enqueueUnrefined("kokoro", ENCODER), 0);
    assert.equal((await find(id)).refinement, "failed");
  });

  it("gives new voices before those of a stopped node and those that were made anew, postponed ones last", async (context) => {
    const { queue, claim, store, make, find } = await setUp(context, newDatabase);
    const [postponed, stopped, remade, fresh] = [await make(1), await make(2), await make(3), await make(4)];
    for (const id of [postponed, stopped]) {
      await queue.enqueue(id);
      await claim("n");
      if (id === postponed) await queue.postpone(id, "n");
      else await queue.requeueAfterStop("n");
    }
    await store.remakeQueue.enqueue(remade);
    await store.remakeQueue.claim("n");
    const { engine, speaker, pace, pitch, pitchRange } = await find(remade);
    await store.remakeQueue.save(remade, "n", { engine, speaker, pace, pitch, pitchRange }, LATER, "refine-later");
    await queue.enqueue(fresh);
    const order: (string | undefined)[] = [];
    for (const _ of "1234") order.push(await claim("n"));
    assert.deepEqual(order, [fresh, stopped, remade, postponed]);
  });

  it("takes over from a node that a program of an earlier version has removed", async (context) => {
    const { queue, claim, store, make, find } = await setUp(context, newDatabase);
    const [lost, running] = [await make(1), await make(2)];
    await store.nodes.heartbeat("alive", LATER);
    for (const node of ["removed", "alive"]) {
      await queue.enqueue(node === "alive" ? running : lost);
      await claim(node);
    }
    await queue.requeueOrphans();
    for (let attempt = 2; attempt <= 3; attempt++) {
      assert.deepEqual([await claim("removed"), await claim("removed")], [lost, undefined]);
      await queue.requeueOrphans();
    }
    assert.deepEqual([(await find(lost)).refinement, (await find(running)).refinement], ["failed", "running"]);
  });

  it("lets new voices of one account keep no other account waiting", { timeout: 60_000 }, async (context) => {
    const { store, queue, make } = await setUp(context, newDatabase);
    const [flooding, existing, postponed] = [await insertUser(store), await insertUser(store), await insertUser(store)];
    await queue.enqueue(await make(9, postponed));
    await queue.postpone((await queue.claim("n"))?.voiceId ?? "", "n");
    await make(8, existing);
    assert.equal(await queue.enqueueUnrefined("kokoro", ENCODER), 1);
    const turns: string[] = [];
    let last = "";
    for (let turn = 0; turn < 3; turn++) {
      for (let voice = 0; voice < 3; voice++) await queue.enqueue(await make(0, flooding));
      last = (await queue.claim("n", last))?.userId ?? "";
      turns.push(last);
    }
    assert.deepEqual(turns.toSorted(), [flooding, existing, postponed].toSorted());
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase) {
  const store = await (await newDatabase(context)).open();
  const userId = await insertUser(store);
  return {
    store,
    queue: store.refinementQueue,
    claim: async (node: string) => (await store.refinementQueue.claim(node))?.voiceId,
    async make(age = 0, owner = userId): Promise<string> {
      const voice = clonedVoice({
        userId: owner,
        createdAt: new Date(Date.UTC(2026, 0, 1) + age * 1000).toISOString(),
      });
      await store.voices.insert(voice);
      const embedding = { number: 0, type: "float32", text: ENCODER, bytes: Buffer.alloc(8) };
      await store.voiceBlobs.put(voice.id, "embedding", embedding);
      return voice.id;
    },
    async find(id: string): Promise<VoiceRecord> {
      const voice = await store.voices.find(id);
      assert.ok(voice);
      return voice;
    },
  };
}
