import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import { ApiError, parseVoiceQuery, type Visibility } from "@parlance/protocol";
import { cloningEngine } from "@parlance/speech";
import Database from "libsql";
import { databasePath, openSqliteStore } from "../../stores/sqlite.ts";
import type { Store } from "../../stores/store.ts";
import type { VoiceRecord } from "../../stores/voices.ts";
import { databaseFiles } from "../../testing/database-files.ts";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { createToneSpeech, TONE_VOICES } from "../../testing/tone-speech.ts";
import { clonedVoice } from "../../testing/voice-record.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { decoderOffsetsBlob } from "./cloned-sound.ts";
import { toBytes, toNumbers } from "./embedding.ts";
import { createVoiceUseCounts } from "./use-counts.ts";
import { createVoiceService, type Voices } from "./voices.ts";

/** The version of the voice encoder. */
const ENCODER = "current";

onEachDatabase("voices", (newDatabase) => {
  describe("in lists", () => {
    it("respect visibility, and are filtered by title, tags and language", async (context) => {
      const { voices, ada, bob, make } = await setUp(context, newDatabase);
      await make(ada, "Ada's öffentliche STIMME", {
        visibility: "public",
        tags: ["Warm", "deep", "de-AT"],
        languages: ["de"],
      });
      await make(ada, "Ada's secret", { tags: ["warm"] });
      await make(ada, "Ada's link", { visibility: "unlist" });
      await make(bob, "100% _Bob_! ' or 1=1 --", { visibility: "public", tags: ["deep"] });
      const titles = async (who: string, query: Record<string, unknown>) => {
        const { total, views } = await voices.list(caller(who), parseVoiceQuery(query));
        assert.equal(total, views.length);
        return views.filter(({ voice }) => voice.userId !== null).map(({ voice }) => voice.title.slice(0, 5));
      };
      for (const [who, query, expected] of [
        [bob, {}, ["Ada's", "100% "]],
        [bob, { self: "true" }, ["100% "]],
        [ada, { self: "true" }, ["Ada's", "Ada's", "Ada's"]],
        [ada, { author_id: ada }, ["Ada's", "Ada's", "Ada's"]],
        [bob, { author_id: ada }, ["Ada's"]],
        [bob, { author_id: ada, self: "true" }, []],
        [bob, { author_id: "system" }, []],
        [bob, { title: "ÖFFENTLICHE stimme" }, ["Ada's"]],
        [bob, { title: "secret" }, []],
        [bob, { title: "%" }, ["100% "]],
        [bob, { title: "_" }, ["100% "]],
        [bob, { title: "!" }, ["100% "]],
        [bob, { title: "' OR 1=1 --" }, ["100% "]],
        [bob, { title: "'; drop table voices; --" }, []],
        [bob, { tag: "DEEP" }, ["Ada's", "100% "]],
        [bob, { tag: ["deep", "warm"] }, ["Ada's"]],
        [bob, { "tag[]": ["deep", "warm"] }, ["Ada's"]],
        [bob, { "tag[0]": "deep", "tag[1]": "nothing" }, []],
        [bob, { language: "de" }, ["Ada's"]],
        [bob, { language: "de-at" }, ["Ada's"]],
        [bob, { language: "de_AT" }, ["Ada's"]],
        [bob, { language: "de-CH" }, []],
        [bob, { language: ["de", "en"] }, ["Ada's", "100% "]],
        [bob, { title_language: "de" }, ["Ada's"]],
        [ada, { tag: "warm", self: "1" }, ["Ada's", "Ada's"]],
      ] as const) {
        assert.deepEqual((await titles(who, query)).sort(), [...expected].sort(), `${JSON.stringify(query)}`);
      }
    });

    it("come in pages that contain each voice once, in the requested order", async (context) => {
      const { voices, store, ada, make } = await setUp(context, newDatabase);
      const made: string[] = [];
      for (let index = 0; index < 7; index++)
        made.push((await make(ada, `Voice ${index}`, { visibility: "public" }, index)).id);
      await store.voices.addUses(
        new Map([
          [made[2] ?? "", 5],
          [made[5] ?? "", 9],
        ]),
      );
      await voices.setLiked(caller(ada), made[1] ?? "", true);
      const page = async (query: Record<string, string>) => {
        const { total, views } = await voices.list(caller(ada), parseVoiceQuery({ page_size: "4", ...query }));
        assert.equal(total, 10);
        return views.map(({ voice }) => voice.id);
      };
      const all = async (sort_by: string) => [
        ...(await page({ sort_by })),
        ...(await page({ sort_by, page_number: "2" })),
        ...(await page({ sort_by, page_number: "3" })),
      ];
      const stock = TONE_VOICES.map(({ id }) => id);
      const newest = [6, 5, 4, 3, 2, 1, 0].map((index) => made[index]);
      assert.deepEqual(await all("created_at"), [...newest, ...stock]);
      const rest = (...without: number[]) => newest.filter((id) => !without.some((index) => made[index] === id));
      assert.deepEqual(await all("task_count"), [made[5], made[2], ...stock, ...rest(5, 2)]);
      assert.deepEqual(await all("score"), [made[1], made[5], made[2], ...stock, ...rest(1, 5, 2)]);
      assert.deepEqual(await page({ page_number: "4" }), []);
    });
  });

  it("are read, used and changed by permitted accounts, and not found for others", async (context) => {
    const { voices, ada, bob, admin, make } = await setUp(context, newDatabase);
    const ids: Record<Visibility, string> = {
      public: (await make(ada, "P", { visibility: "public" })).id,
      unlist: (await make(ada, "U", { visibility: "unlist" })).id,
      private: (await make(ada, "S", { visibility: "private" })).id,
    };
    const outcome = async (work: Promise<unknown>): Promise<number> => {
      try {
        await work;
        return 200;
      } catch (error) {
        if (error instanceof ApiError) return error.status;
        throw error;
      }
    };
    for (const [who, role, visibility, read, use, change] of [
      [ada, "member", "public", 200, 200, 200],
      [ada, "member", "unlist", 200, 200, 200],
      [ada, "member", "private", 200, 200, 200],
      [bob, "member", "public", 200, 200, 403],
      [bob, "member", "unlist", 200, 200, 403],
      [bob, "member", "private", 404, 400, 404],
      [admin, "admin", "public", 200, 200, 200],
      [admin, "admin", "private", 404, 400, 404],
    ] as const) {
      const by = { userId: who, role };
      const id = ids[visibility];
      assert.deepEqual(
        [
          await outcome(voices.find(by, id)),
          await outcome(voices.resolve(by, id)),
          await outcome(voices.update(by, id, { description: "changed" })),
        ],
        [read, use, change],
        `${role} ${visibility}`,
      );
      assert.equal(await outcome(voices.setLiked(by, id, true)), read);
    }
    const messageOf = (reference: string) =>
      voices.resolve(caller(bob), reference).then(
        () => "",
        (error: Error) => error.message.replaceAll(reference, "X"),
      );
    assert.equal(
      await messageOf(ids.private),
      await messageOf("f".repeat(32)),
      "the same answer as for no voice at all",
    );
    assert.equal(await outcome(voices.remove(caller(bob), ids.public)), 403);
    assert.equal(await outcome(voices.remove(caller(bob), ids.private)), 404);
    assert.equal(await outcome(voices.remove(caller(ada), TONE_VOICES[0]?.id ?? "")), 403);
  });

  it("are deleted with all their data", async (context) => {
    const { voices, store, ada, bob, make } = await setUp(context, newDatabase);
    const { id } = await make(ada, "Gone", { visibility: "public", tags: ["x"] });
    await store.voiceBlobs.put(id, "recording", {
      number: 0,
      type: "audio/ogg",
      text: "words",
      bytes: Buffer.from("audio"),
    });
    await store.voiceBlobs.put(id, "sample", { number: 0, type: "audio/mpeg", text: "1", bytes: Buffer.from("mp3") });
    await store.voiceBlobs.put(id, "decoder-offsets", { number: 0, type: "float32", text: "", bytes: Buffer.alloc(8) });
    await voices.setLiked(caller(bob), id, true);
    await voices.remove(caller(ada), id);
    for (const kind of [
      "recording",
      "heard",
      "network-vector",
      "embedding",
      "decoder-offsets",
      "sample",
      "cover",
    ] as const) {
      assert.equal(await store.voiceBlobs.find(id, kind), undefined, kind);
    }
    assert.deepEqual(await store.voiceLikes.likedOf(bob, [id]), []);
    await assert.rejects(voices.resolve(caller(ada), id), /there is no voice/);
    await assert.rejects(
      store.voiceBlobs.put(id, "sample", { number: 0, type: "x", text: null, bytes: Buffer.from("y") }),
    );
  });

  it("speak with their stored embedding", async (context) => {
    const { voices, ada, make } = await setUp(context, newDatabase);
    const { id } = await make(ada, "Mine");
    const embedding = Float32Array.of(0.5, -1, 2);
    assert.deepEqual(await voices.resolve(caller(ada), id), {
      id,
      engine: "kokoro",
      custom: { embedding, prosody: "af_heart", pitch: 1, pitchRange: 1, pace: 1.1 },
    });
    for (const [speaker, spoken] of [
      ["", embedding],
      ["17", "17"],
    ] as const) {
      const { id: older } = await make(ada, "Cloned for Piper", { engine: "piper", speaker });
      assert.deepEqual(await voices.resolve(caller(ada), older), {
        id: older,
        engine: "piper",
        custom: { embedding: spoken, pace: 1.1 },
      });
    }
    assert.equal((await voices.resolve(caller(ada), "tone-one")).id, TONE_VOICES[0]?.id);
  });

  it("speak with their stored decoder offsets, unless these belong to another embedding or decoder", async (context) => {
    const { voices, store, ada, make } = await setUp(context, newDatabase);
    const { id } = await make(ada, "Refined");
    const embedding = await store.voiceBlobs.find(id, "embedding");
    assert.ok(embedding);
    const offsets = new Float32Array(cloningEngine.cloning.decoderOffsetsSize).fill(0.25);
    // Of a decoder of another version.
    await store.voiceBlobs.put(id, "decoder-offsets", decoderOffsetsBlob(offsets.subarray(1), embedding));
    assert.equal((await voices.resolve(caller(ada), id)).custom?.decoderOffsets, undefined);
    await store.voiceBlobs.put(id, "decoder-offsets", decoderOffsetsBlob(offsets, embedding));
    assert.deepEqual((await voices.resolve(caller(ada), id)).custom?.decoderOffsets, offsets);
    // As a program that does not know decoder offsets makes it anew.
    await store.voiceBlobs.put(id, "embedding", { ...embedding, bytes: toBytes(Float32Array.of(1, 2, 3)) });
    assert.equal((await voices.resolve(caller(ada), id)).custom?.decoderOffsets, undefined);
  });

  it("are refined by one node at a time, and again when that node expires", async (context) => {
    const { store, ada, make, claim } = await setUp(context, newDatabase);
    const { id } = await make(ada, "Rough");
    await store.remakeQueue.enqueue(id);
    const claims = await Promise.all(["n1", "n2", "n3"].map(claim));
    assert.deepEqual(
      claims.filter((claim) => claim !== undefined),
      [id],
    );
    const owner = ["n1", "n2", "n3"][claims.indexOf(id)] ?? "";
    await store.remakeQueue.requeueAfterCrash(owner);
    assert.equal(await claim("n4"), id);
    const progress = { engine: "kokoro", speaker: "am_puck", pace: 900, pitch: 950, pitchRange: 800 };
    assert.equal(
      await store.remakeQueue.save(id, owner, progress, "2030-01-01T00:00:00.000Z"),
      false,
      "not its any more",
    );
    assert.equal(await store.remakeQueue.save(id, "n4", progress, "2030-01-01T00:00:00.000Z"), true);
    const voice = await store.voices.find(id);
    assert.deepEqual({ ...voice, ...progress, version: 2, refinement: "done" }, voice);
    assert.equal(await claim("n4"), undefined);
  });

  it("that were cloned for another engine are enqueued, also when an attempt has failed, and no others", async (context) => {
    const { store, ada, make, claim } = await setUp(context, newDatabase);
    await make(ada, "Of this engine");
    const { id } = await make(ada, "Older", { engine: "piper", speaker: "" });
    const enqueue = () => store.remakeQueue.enqueueOutdated("kokoro", ENCODER);
    assert.equal(await enqueue(), 1);
    assert.equal((await store.voices.find(id))?.refinement, "waiting");
    assert.equal(await enqueue(), 0, "it waits already");
    assert.equal(await claim("n1"), id);
    assert.equal(await enqueue(), 0, "it is being made");
    await store.remakeQueue.markFailed(id, "n1");
    assert.equal(await enqueue(), 1, "the next start tries again");
    assert.equal(await claim("n1"), id);
    assert.equal(await claim("n1"), undefined);
  });

  it("have failed after three attempts that ended their process, until their owner starts them again", async (context) => {
    const { store, voices, ada, bob, make, claim } = await setUp(context, newDatabase);
    const { id } = await make(ada, "Poison", { engine: "piper", speaker: "" });
    const crash = async () => {
      assert.equal(await claim("n"), id);
      await store.remakeQueue.requeueAfterCrash("n");
    };
    const outdated = () => store.remakeQueue.enqueueOutdated("kokoro", ENCODER);
    assert.equal(await outdated(), 1);
    for (let round = 0; round < 3; round++) await crash();
    assert.equal(await claim("n"), undefined);
    const { refinement, refinementError } = (await store.voices.find(id)) ?? {};
    assert.deepEqual([refinement, /server stopped each time/.test(refinementError ?? "")], ["failed", true]);
    assert.equal(await outdated(), 0, "a start does not try again");
    await assert.rejects(voices.update(caller(bob), id, { refinement: "waiting" }), { code: "voice_not_found" });
    const { voice } = await voices.update(caller(ada), id, { refinement: "waiting" });
    assert.deepEqual([voice.refinement, voice.refinementError], ["waiting", undefined]);
    await crash();
    assert.equal(await claim("n"), id, "all attempts count anew");
    await voices.update(caller(ada), id, { refinement: "waiting" });
    assert.equal((await store.voices.find(id))?.refinement, "running", "a running one is left alone");
    await store.remakeQueue.markFailed(id, "n");
  });

  it("are refined however often a shutdown interrupts that", async (context) => {
    const { store, ada, make, claim } = await setUp(context, newDatabase);
    await store.remakeQueue.enqueue((await make(ada, "Often stopped")).id);
    for (let round = 0; round < 5; round++) {
      assert.notEqual(await claim("n"), undefined);
      await store.remakeQueue.requeueAfterStop("n");
    }
  });

  it("count uses exactly when several nodes count at once", async (context) => {
    const { store, ada, make } = await setUp(context, newDatabase);
    const { id } = await make(ada, "Used");
    const counts = [1, 2, 3].map(() => createVoiceUseCounts(store, assert.ifError));
    for (let time = 0; time < 10; time++) for (const each of counts) each.add(id);
    await Promise.all(counts.map((each) => each.close()));
    assert.equal((await store.voices.find(id))?.taskCount, 30);
  });
});

describe("a voice deleted from the embedded database", () => {
  /** A voice with a recording of many pages, and a search for its bytes in the database files. */
  const setUpFiles = async (context: TestContext) => {
    const data = await temporaryFolder(context);
    const database = { open: () => openSqliteStore(data), config: { data, databaseUrl: undefined } };
    const { voices, store, ada, make } = await setUp(context, async () => database);
    context.after(() => store.close());
    const { id } = await make(ada, "Gone", { consent: "words of consent" });
    const bytes = randomBytes(50_000);
    await store.voiceBlobs.put(id, "recording", { number: 0, type: "audio/ogg", text: null, bytes });
    const left = async (): Promise<number> => {
      const read = (path: string) => readFile(path).catch(() => Buffer.alloc(0));
      const files = Buffer.concat([await read(databasePath(data)), await read(`${databasePath(data)}-wal`)]);
      const needles = [Buffer.from("words of consent")];
      for (let at = 0; at + 64 <= bytes.length; at += 1000) needles.push(bytes.subarray(at, at + 64));
      return needles.filter((needle) => files.includes(needle)).length;
    };
    assert.ok((await left()) > 40, "it is there before");
    return { data, left, remove: () => voices.remove(caller(ada), id), store };
  };

  it("leaves no bytes of its recordings and metadata in the files", async (context) => {
    const { left, remove } = await setUpFiles(context);
    await remove();
    assert.equal(await left(), 0);
  });

  it("can be deleted during a read, and leaves no bytes once the read has ended", async (context) => {
    const { data, left, remove, store } = await setUpFiles(context);
    const reader = new Database(databasePath(data), { readonly: true });
    reader.exec("begin");
    reader.prepare("select count(*) from voices").all([]);
    await remove();
    reader.exec("commit");
    reader.close();
    await store.erase();
    assert.equal(await left(), 0);
  });
});

it("embeddings are stored exactly", () => {
  const numbers = Float32Array.of(0, -0.5, 1e-20, 3e20);
  assert.deepEqual(toNumbers(toBytes(numbers)), numbers);
});

const caller = (userId: string) => ({ userId, role: "member" as const });

interface Setup {
  readonly store: Store;
  readonly voices: Voices;
  readonly ada: string;
  readonly bob: string;
  readonly admin: string;
  make(owner: string, title: string, more?: Partial<VoiceRecord>, age?: number): Promise<VoiceRecord>;
  claim(node: string): Promise<string | undefined>;
}

async function setUp(context: TestContext, newDatabase: NewDatabase): Promise<Setup> {
  const store = await (await newDatabase(context)).open();
  const [ada, bob, admin] = [await insertUser(store), await insertUser(store), await insertUser(store)];
  return {
    store,
    voices: createVoiceService({ store, files: databaseFiles(store), speech: createToneSpeech() }),
    ada,
    bob,
    admin,
    async make(owner, title, more = {}, age = 0) {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + age * 1000).toISOString();
      const voice = clonedVoice({ userId: owner, title, pace: 1100, createdAt, ...more });
      await store.transaction(async (records) => {
        await records.voices.insert(voice);
        const bytes = toBytes(Float32Array.of(0.5, -1, 2));
        await records.voiceBlobs.put(voice.id, "embedding", { number: 0, type: "float32", text: ENCODER, bytes });
      });
      return voice;
    },
    claim: async (node) => (await store.remakeQueue.claim(node))?.voiceId,
  };
}
