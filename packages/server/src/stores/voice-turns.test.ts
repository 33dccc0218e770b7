import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { type NewDatabase, onEachDatabase } from "../testing/databases.ts";
import { clonedVoice } from "../testing/voice-record.ts";
import { insertUser } from "../testing/wallet-user.ts";

for (const queue of ["remakeQueue", "refinementQueue"] as const) {
  onEachDatabase(`turns of accounts in the ${queue}`, (newDatabase) => {
    it("are equally many, however many voices one of them has", { timeout: 60_000 }, async (context) => {
      const { store, enqueue } = await setUp(context, newDatabase, queue);
      const [many, two, one] = [await insertUser(store), await insertUser(store), await insertUser(store)];
      const waiting = new Map<string, number>().set(many, 5).set(two, 2).set(one, 1);
      // Those of the account with the most voices are the oldest.
      for (const [userId, voices] of waiting) for (let voice = 0; voice < voices; voice++) await enqueue(userId);
      for (const start of [many, two, one, "", "z"]) {
        const turns: string[] = [];
        for (let last: string | undefined = start; turns.length < 8; turns.push(last)) {
          last = (await store[queue].claim("n", last))?.userId;
          assert.ok(last);
        }
        assert.equal(new Set(turns.slice(0, 3)).size, 3);
        assert.deepEqual(new Set(turns.slice(3, 5)), new Set([many, two]));
        assert.deepEqual(turns.slice(5), [many, many, many]);
        await store[queue].requeueAfterStop("n");
      }
    });

    it("come although another account creates more voices than are claimed", { timeout: 60_000 }, async (context) => {
      const { store, enqueue } = await setUp(context, newDatabase, queue);
      const [flooding, ...others] = [await insertUser(store), await insertUser(store), await insertUser(store)];
      for (let voice = 0; voice < 100; voice++) await enqueue(flooding);
      for (const userId of others) await enqueue(userId);
      const turns: string[] = [];
      let last = flooding;
      for (let turn = 0; turn < 3; turn++) {
        for (let voice = 0; voice < 3; voice++) await enqueue(flooding);
        last = (await store[queue].claim("n", last))?.userId ?? "";
        turns.push(last);
      }
      assert.deepEqual(new Set(turns.slice(0, 2)), new Set(others));
      assert.equal(turns[2], flooding);
    });

    it("are spent on the oldest voice of the account", { timeout: 60_000 }, async (context) => {
      const { store, enqueue } = await setUp(context, newDatabase, queue);
      const userId = await insertUser(store);
      const [second, third, first] = [await enqueue(userId, 2), await enqueue(userId, 3), await enqueue(userId, 1)];
      const claimed: (string | undefined)[] = [];
      for (const _ of "1234") claimed.push((await store[queue].claim("n", userId))?.voiceId);
      assert.deepEqual(claimed, [first, second, third, undefined]);
    });

    it("give each voice to one of many nodes that claim at once", { timeout: 60_000 }, async (context) => {
      const { store, enqueue } = await setUp(context, newDatabase, queue);
      const voices: string[] = [];
      for (const userId of [await insertUser(store), await insertUser(store)])
        for (let voice = 0; voice < 10; voice++) voices.push(await enqueue(userId));
      const claimAll = async (node: string): Promise<string[]> => {
        const claimed: string[] = [];
        let last = "";
        for (;;) {
          const next = await store[queue].claim(node, last);
          if (next === undefined) return claimed;
          claimed.push(next.voiceId);
          last = next.userId;
        }
      };
      const claimed = await Promise.all(["n1", "n2", "n3", "n4"].map(claimAll));
      assert.deepEqual(claimed.flat().toSorted(), voices.toSorted());
    });
  });
}

onEachDatabase("turns of an account", (newDatabase) => {
  it("are spent on its new voices before its outdated ones", { timeout: 60_000 }, async (context) => {
    const { store, insert, enqueue } = await setUp(context, newDatabase, "remakeQueue");
    const { claim, enqueueOutdated } = store.remakeQueue;
    const userId = await insertUser(store);
    const outdated = [await insert(userId), await insert(userId)];
    assert.equal(await enqueueOutdated("kokoro", "present"), 2);
    assert.equal(await enqueueOutdated("kokoro", "present"), 0, "they wait already");
    const fresh = [await enqueue(userId), await enqueue(userId)];
    assert.equal((await store.voices.find(outdated[0] ?? ""))?.refinement, "waiting");
    const claimed: (string | undefined)[] = [];
    for (const _ of "12345") claimed.push((await claim("n", userId))?.voiceId);
    assert.deepEqual(claimed, [...fresh, ...outdated, undefined]);
  });
});

async function setUp(context: TestContext, newDatabase: NewDatabase, queue: "remakeQueue" | "refinementQueue") {
  const store = await (await newDatabase(context)).open();
  let created = 0;
  /** A voice that is younger than those before it, unless the second of its creation is given. */
  async function insert(userId: string, second = created++): Promise<string> {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
    const voice = clonedVoice({ userId, createdAt });
    await store.voices.insert(voice);
    return voice.id;
  }
  return {
    store,
    insert,
    /** The same for a voice that waits. */
    async enqueue(userId: string, second?: number): Promise<string> {
      const id = await insert(userId, second);
      await store[queue].enqueue(id);
      return id;
    },
  };
}
