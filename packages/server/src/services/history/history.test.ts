import assert from "node:assert/strict";
import { it } from "node:test";
import { HISTORY_LIMITS } from "@parlance/protocol";
import { newId } from "../../lib/ids.ts";
import type { Store } from "../../stores/store.ts";
import { onEachDatabase } from "../../testing/databases.ts";
import { createHistoryService, type HistoryOptions } from "./history.ts";

const DAY_MS = 86_400_000;
const TRANSCRIPT = { title: "A talk", text: "Good day.", words: [{ text: "Good", start: 0, end: 0.5 }], duration: 1 };

async function addUser(store: Store): Promise<string> {
  const at = new Date().toISOString();
  const id = newId();
  const account = { id, role: "member", plan: "free", nickname: "x", email: null, disabledAt: null } as const;
  await store.users.insert({ ...account, createdAt: at, updatedAt: at });
  return id;
}

function service(store: Store, options: Partial<HistoryOptions> = {}) {
  const onFault = (error: unknown): void => assert.fail(String(error));
  return createHistoryService(store, { mode: "dashboard", days: 30, maxBytes: 1000, onFault, ...options });
}

onEachDatabase("the history", (newDatabase) => {
  it("lists newest first, searches any case, and shows an entry to its account only", async (context) => {
    const store = await (await newDatabase(context)).open();
    const [one, other] = [await addUser(store), await addUser(store)];
    let now = Date.now();
    const history = service(store, { now: () => now++ });
    const first = await history.addTranscript(one, TRANSCRIPT);
    const second = await history.addTranscript(one, { ...TRANSCRIPT, title: "ÄRGER 100%", text: "Nothing else." });
    const page = { pageSize: 10, pageNumber: 1 };
    const titles = async (search?: string) =>
      (await history.list(one, { ...page, search })).items.map(({ title }) => title);
    assert.deepEqual(await titles(), ["ÄRGER 100%", "A talk"]);
    assert.deepEqual(await titles("good DAY"), ["A talk"]);
    assert.deepEqual(await titles("ärger"), ["ÄRGER 100%"]);
    assert.deepEqual(await titles("100%"), ["ÄRGER 100%"]);
    assert.deepEqual(await titles("1_0"), []);
    assert.equal((await history.list(one, { ...page, kind: "speech" })).total, 0);
    assert.deepEqual((await history.find(one, first.id)).words, TRANSCRIPT.words);
    await assert.rejects(history.find(other, first.id), { code: "unknown_history" });
    await assert.rejects(history.remove(other, second.id), { code: "unknown_history" });
    const changed = await history.change(one, first.id, { title: "Renamed" });
    assert.deepEqual([changed.title, changed.text], ["Renamed", "Good day."]);
    await history.clear(one);
    assert.equal((await history.list(one, page)).total, 0);
  });

  it("keeps every field of changes that are made at the same time", { timeout: 60_000 }, async (context) => {
    const database = await newDatabase(context);
    const here = await database.open();
    // Another node, where there may be one.
    const there = database.config.databaseUrl === undefined ? here : await database.open();
    const userId = await addUser(here);
    const { id } = await service(here).addTranscript(userId, TRANSCRIPT);
    await Promise.all([
      service(here).change(userId, id, { title: "Renamed" }),
      service(there).change(userId, id, { text: "Corrected." }),
    ]);
    const { title, text } = await service(here).find(userId, id);
    assert.deepEqual([title, text], ["Renamed", "Corrected."]);
  });

  it("deletes the oldest entries beyond the space of an account", async (context) => {
    const store = await (await newDatabase(context)).open();
    const user = await addUser(store);
    let now = Date.now();
    const history = service(store, { now: () => now++ });
    const ids: string[] = [];
    for (const size of [400, 400, 400]) {
      const { id } = await history.addTranscript(user, TRANSCRIPT);
      await history.putAudio(user, id, "audio/mpeg", Buffer.alloc(size));
      ids.push(id);
    }
    const [oldest = "", , newest = ""] = ids;
    await assert.rejects(history.find(user, oldest), { code: "unknown_history" });
    assert.equal((await history.audio(user, newest)).bytes.length, 400);
    // One that is larger than the space is the only one.
    await history.putAudio(user, newest, "audio/mpeg", Buffer.alloc(2000));
    assert.equal((await history.list(user, { pageSize: 10, pageNumber: 1 })).total, 1);
    assert.ok(HISTORY_LIMITS.entries >= 100);
  });

  it("deletes what is older than the retention time, and its audio", async (context) => {
    const store = await (await newDatabase(context)).open();
    const user = await addUser(store);
    let now = Date.now();
    const history = service(store, { days: 2, now: () => now });
    const { id, expiresAt } = await history.addTranscript(user, TRANSCRIPT);
    await history.putAudio(user, id, "audio/mpeg", Buffer.alloc(10));
    assert.equal(expiresAt, new Date(now + 2 * DAY_MS).toISOString());
    now += 2 * DAY_MS - 1;
    await history.sweep();
    assert.equal((await history.find(user, id)).audioBytes, 10);
    now += 3_600_000;
    await history.sweep();
    await assert.rejects(history.find(user, id), { code: "unknown_history" });
    assert.equal(await store.history.findAudio(id), undefined);
  });

  it("reads and removes a bounded part in each statement", { timeout: 60_000 }, async (context) => {
    const store = await (await newDatabase(context)).open();
    const user = await addUser(store);
    const most = { matching: 0, summaries: 0, remove: 0 };
    const counted = {
      ...store,
      history: {
        ...store.history,
        matching(ids: readonly string[], search: string) {
          most.matching = Math.max(most.matching, ids.length);
          return store.history.matching(ids, search);
        },
        summaries(ids: readonly string[]) {
          most.summaries = Math.max(most.summaries, ids.length);
          return store.history.summaries(ids);
        },
        remove(ids: readonly string[]) {
          most.remove = Math.max(most.remove, ids.length);
          return store.history.remove(ids);
        },
      },
    };
    let now = Date.now();
    const history = service(counted, { now: () => now++, maxBytes: 1e9 });
    const titles = Array.from({ length: 25 }, (_, index) => `Talk ${index}`);
    for (const title of titles) await history.addTranscript(user, { ...TRANSCRIPT, title });
    const page = { pageSize: 20, pageNumber: 2 };
    const { total, items } = await history.list(user, { ...page, search: "talk" });
    assert.deepEqual([total, items.map(({ title }) => title)], [25, titles.slice(0, 5).reverse()]);
    await history.list(user, { ...page, pageNumber: 1 });
    await history.clear(user);
    assert.equal((await history.list(user, page)).total, 0);
    assert.deepEqual(most, { matching: 10, summaries: 10, remove: 5 });
  });

  it("keeps nothing where it is off", async (context) => {
    const store = await (await newDatabase(context)).open();
    const user = await addUser(store);
    await assert.rejects(service(store, { mode: "off" }).addTranscript(user, TRANSCRIPT), { code: "history_off" });
  });
});
