import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import type { ObjectStorage } from "../../stores/object-storage.ts";
import { createS3Objects } from "../../stores/s3-objects.ts";
import type { VoiceBlob, VoiceBlobKind } from "../../stores/voice-blobs.ts";
import { createLog } from "../../telemetry/log.ts";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { startS3 } from "../../testing/s3-server.ts";
import { clonedVoice } from "../../testing/voice-record.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { checkObjects } from "./check-objects.ts";
import { moveFiles } from "./move-files.ts";
import { createObjectSweep } from "./object-sweep.ts";
import { createVoiceFiles } from "./voice-files.ts";

const { signal } = new AbortController();
const blob = (text: string, number = 0): VoiceBlob => ({ number, type: "audio/ogg", text, bytes: Buffer.from(text) });
const HOUR = 3_600_000;

async function setUp(context: TestContext, newDatabase: NewDatabase, place: "database" | "S3") {
  const store = await (await newDatabase(context)).open();
  const s3 = await startS3(context);
  const storage = createS3Objects(s3.settings);
  const objects = place === "S3" ? storage : undefined;
  const log = createLog("silent");
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const files = createVoiceFiles({ store, objects, log, now });
  const sweep = createObjectSweep({ store, objects, log, now });
  const userId = await insertUser(store);
  const save = (id: string, kind: VoiceBlobKind, blobs: readonly VoiceBlob[]) =>
    files.saved(id, blobs, signal, (stored) =>
      store.transaction(async (records) => {
        for (const each of stored) await records.voiceBlobs.put(id, kind, each);
      }),
    );
  const read = async (id: string, kind: VoiceBlobKind) => {
    const found = await store.voiceBlobs.list(id, kind);
    return Promise.all(found.map(async (each) => String((await files.read(each, signal)) ?? "lost")));
  };
  return {
    ...s3,
    store,
    storage,
    files,
    sweep,
    save,
    read,
    wait: (ms: number) => {
      ahead += ms;
    },
    async voice() {
      const voice = clonedVoice({ userId });
      await store.voices.insert(voice);
      return voice.id;
    },
    remove: (id: string) => store.transaction(({ voices }) => voices.remove(id)),
  };
}

onEachDatabase("files of voices", (newDatabase) => {
  for (const place of ["database", "S3"] as const) {
    it(`in ${place}: are read as they were saved, replaced, and deleted with their voice`, async (context) => {
      const { save, read, voice, remove, sweep, keys, store } = await setUp(context, newDatabase, place);
      const [id, other] = [await voice(), await voice()];
      await save(id, "recording", [blob("one"), blob("two", 1)]);
      await save(other, "cover", [blob("picture")]);
      await save(other, "cover", [blob("another picture")]);
      assert.deepEqual(await read(id, "recording"), ["one", "two"]);
      assert.deepEqual(await read(other, "cover"), ["another picture"]);
      assert.deepEqual(
        (await store.voiceBlobs.list(id, "recording")).map(({ text, type }) => [text, type]),
        [
          ["one", "audio/ogg"],
          ["two", "audio/ogg"],
        ],
      );
      await sweep.run();
      assert.equal((await keys()).length, place === "S3" ? 3 : 0);
      assert.equal(await remove(id), true);
      await sweep.run();
      assert.deepEqual(await read(id, "recording"), []);
      assert.deepEqual(await read(other, "cover"), ["another picture"]);
      await store.voiceBlobs.remove(other, "cover");
      await sweep.run();
      assert.deepEqual(await keys(), []);
      assert.equal(await store.voiceObjects.count(), 0);
    });

    it(`in ${place}: leave nothing behind when their voice is not stored`, async (context) => {
      const { save, sweep, keys, store } = await setUp(context, newDatabase, place);
      await assert.rejects(save("f".repeat(32), "recording", [blob("one"), blob("two", 1)]), /foreign key/i);
      await sweep.run();
      assert.deepEqual(await keys(), []);
      assert.equal(await store.voiceObjects.count(), 0);
    });
  }

  it("are not stored while S3 is unreachable, and leave nothing behind", async (context) => {
    const { save, read, voice, sweep, keys, store, link } = await setUp(context, newDatabase, "S3");
    const id = await voice();
    await save(id, "cover", [blob("old")]);
    link.cut();
    await assert.rejects(save(id, "cover", [blob("new")]), { name: "ObjectStorageError" });
    await assert.rejects(read(id, "cover"), { name: "ObjectStorageError" });
    await assert.rejects(sweep.run(), { name: "ObjectStorageError" });
    link.restore();
    assert.deepEqual(await read(id, "cover"), ["old"]);
    await sweep.run();
    assert.equal((await keys()).length, 1);
    assert.equal(await store.voiceObjects.count(), 1);
  });

  it("of a deleted voice that S3 refuses to delete do not keep others from it", async (context) => {
    const { save, voice, remove, keys, store, storage } = await setUp(context, newDatabase, "S3");
    const id = await voice();
    await save(id, "recording", [blob("one"), blob("two", 1), blob("three", 2)]);
    const [locked] = await store.voiceBlobs.list(id, "recording");
    await remove(id);
    const objects: ObjectStorage = {
      ...storage,
      remove: (key, given) =>
        key === locked?.object ? Promise.reject(new Error("it is locked")) : storage.remove(key, given),
    };
    const sweep = createObjectSweep({ store, objects, log: createLog("silent") });
    await assert.rejects(sweep.run(), /it is locked/);
    assert.deepEqual(await keys(), [locked?.object]);
  });

  it("that are in S3 are missed by a server that does not know where it is", async (context) => {
    const { save, voice, store } = await setUp(context, newDatabase, "S3");
    const id = await voice();
    const lines: string[] = [];
    const log = createLog("info", { write: (line) => lines.push(line) });
    const parts = { store, objects: undefined, log };
    await createObjectSweep(parts).start();
    assert.deepEqual(lines, []);
    await save(id, "cover", [blob("picture")]);
    await createObjectSweep(parts).start();
    assert.match(lines.join(), /object-storage\.unset/);
    const cover = await store.voiceBlobs.find(id, "cover");
    assert.ok(cover);
    await assert.rejects(createVoiceFiles(parts).read(cover, signal), /set PARLANCE_BLOBS_URL/);
  });

  it("of a node that was killed in the middle are deleted after an hour, and cannot be used then", async (context) => {
    const { files, voice, sweep, keys, store, wait } = await setUp(context, newDatabase, "S3");
    const id = await voice();
    const late = files.saved(id, [blob("one")], signal, async ([stored]) => {
      assert.ok(stored);
      await sweep.run();
      assert.equal((await keys()).length, 1, "another node does not touch what is new");
      wait(HOUR + 60_000);
      await sweep.run();
      assert.deepEqual(await keys(), []);
      await store.transaction(({ voiceBlobs }) => voiceBlobs.put(id, "cover", stored));
    });
    await assert.rejects(late, { name: "ObjectStorageError" });
    assert.equal(await store.voiceBlobs.find(id, "cover"), undefined);
  });

  it("that an older program has deleted without their objects are found", async (context) => {
    const { save, voice, sweep, keys, store, storage } = await setUp(context, newDatabase, "S3");
    const id = await voice();
    await save(id, "cover", [blob("picture")]);
    const key = `voices/${id}/0`;
    await store.voiceObjects.insertPending({ key, voiceId: id, size: 1, sha256: "" }, new Date().toISOString());
    await storage.put(key, blob("x"), signal);
    await store.voiceObjects.markStored(key);
    assert.equal((await keys()).length, 2);
    await sweep.run();
    assert.equal((await keys()).includes(key), false);
    assert.equal((await keys()).length, 1);
  });

  it("that are lost or changed in S3 are noticed", async (context) => {
    const { save, read, voice, keys, storage } = await setUp(context, newDatabase, "S3");
    const id = await voice();
    await save(id, "recording", [blob("one"), blob("two", 1), blob("six", 2)]);
    const [first = "", second = ""] = await keys();
    await storage.remove(first, signal);
    await storage.put(second, { bytes: Buffer.from("ten"), type: "audio/ogg" }, signal);
    assert.equal((await read(id, "recording")).filter((text) => text === "lost").length, 2);
  });

  it("are moved into S3 and back, beside changes of a server, and again after an interruption", async (context) => {
    const { files, read, voice, sweep, keys, store, link } = await setUp(context, newDatabase, "S3");
    const [id, other] = [await voice(), await voice()];
    for (const number of [0, 1, 2]) await store.voiceBlobs.put(id, "recording", blob(`${number}`, number));
    await store.voiceBlobs.put(id, "embedding", blob("stays"));
    await store.voiceBlobs.put(other, "cover", blob("old"));
    const onMoved = (moved: number) => {
      if (moved === 2) link.cut();
    };
    await assert.rejects(moveFiles("objects", { store, files, onMoved }, signal), { name: "ObjectStorageError" });
    link.restore();
    assert.deepEqual(await moveFiles("objects", { store, files }, signal), { moved: 2, skipped: 0, lost: 0 });
    await sweep.run();
    assert.deepEqual((await keys()).length, 4);
    assert.deepEqual(await read(id, "recording"), ["0", "1", "2"]);
    assert.equal((await store.voiceBlobs.find(id, "recording"))?.bytes.length, 0);
    assert.equal((await store.voiceBlobs.find(id, "embedding"))?.object, null);
    assert.deepEqual(await moveFiles("database", { store, files }, signal), { moved: 4, skipped: 0, lost: 0 });
    assert.deepEqual(await read(id, "recording"), ["0", "1", "2"]);
    assert.deepEqual(await read(other, "cover"), ["old"]);
    await sweep.run();
    assert.deepEqual(await keys(), []);
    let covers = 0;
    const changing = createVoiceFiles({
      store,
      log: createLog("silent"),
      // A new cover while the old one is being uploaded.
      objects: {
        put: () => store.voiceBlobs.put(other, "cover", blob(`new ${++covers}`)),
        get: () => Promise.resolve(undefined),
        remove: () => Promise.resolve(),
        ping: () => Promise.resolve(),
        async *list() {},
      },
    });
    const result = await moveFiles("objects", { store, files: changing }, signal);
    assert.deepEqual([result.moved, result.skipped], [3, 1]);
    assert.equal(String((await store.voiceBlobs.find(other, "cover"))?.bytes), "new 4");
  });

  it("are compared with S3", async (context) => {
    const { save, voice, keys, store, storage } = await setUp(context, newDatabase, "S3");
    const id = await voice();
    await save(id, "recording", [blob("one"), blob("two", 1)]);
    const [first = ""] = await keys();
    await storage.remove(first, signal);
    await storage.put("voices/unknown/1", { bytes: Buffer.from("x"), type: "x" }, signal);
    const unknown: string[] = [];
    const report = await checkObjects(store, storage, async (key) => void unknown.push(key), signal);
    assert.deepEqual(report, { known: 2, found: 1, unknown: 1 });
    assert.deepEqual(unknown, ["voices/unknown/1"]);
  });
});
