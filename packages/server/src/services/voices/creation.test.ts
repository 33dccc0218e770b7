import assert from "node:assert/strict";
import { it } from "node:test";
import { VOICE_LIMITS } from "@parlance/protocol";
import type { CloneRequest } from "@parlance/speech";
import { openSqliteStore } from "../../stores/sqlite.ts";
import type { Store } from "../../stores/store.ts";
import { databaseFiles } from "../../testing/database-files.ts";
import { onPostgres } from "../../testing/databases.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { clonedVoice } from "../../testing/voice-record.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { createVoiceCreation } from "./creation.ts";
import { toNetworkVector } from "./recording-analysis.ts";

const recording = {
  clipped: 0,
  halvesSimilarity: 1,
  vector: new Float32Array(2),
  pitch: 120,
  speechSeconds: 4,
  speech: new Uint8Array(4),
};

const networkVector = { values: Float32Array.of(0.5, -0.5), network: "test network" };

const request = {
  title: "Ada",
  description: "",
  tags: [],
  visibility: "private",
  enhance: false,
  consent: "",
} as const;

function creation(store: Store, onMeasured: (texts: CloneRequest["texts"]) => void = () => {}, isRefined = false) {
  return createVoiceCreation({
    store,
    files: databaseFiles(store),
    cloning: {
      missingModels: () => [],
      requestModels: async () => {},
      async create({ texts }) {
        onMeasured(texts);
        return {
          // A machine of an earlier version analyzed the first one.
          recordings: [recording, { ...recording, networkVector }],
          voice: {
            embedding: new Float32Array(2),
            prosody: "am_puck",
            pitch: 0.9,
            pitchRange: 1,
            pace: 1,
            encoder: "test",
          },
        };
      },
    },
    onCreated() {},
    isRefined: () => isRefined,
  });
}

async function newCaller(store: Store) {
  return { userId: await insertUser(store), keyId: undefined, role: "member", plan: "free" } as const;
}

const uploaded = (texts: readonly string[]) => ({
  request: { ...request, texts: [...texts] },
  recordings: ["a.wav", "b.wav"],
  cover: undefined,
});

onPostgres("the limit of voices", (newDatabase) => {
  it("holds for voices that are made at the same time on two nodes", { timeout: 60_000 }, async (context) => {
    const database = await newDatabase(context);
    const [here, there] = [await database.open(), await database.open()];
    const caller = await newCaller(here);
    for (let count = 1; count < VOICE_LIMITS.voices; count += 1) {
      await here.voices.insert(clonedVoice({ userId: caller.userId }));
    }
    const { signal } = new AbortController();
    const results = await Promise.allSettled(
      [here, there, here, there].map((store) => creation(store).create(caller, uploaded([]), signal)),
    );
    assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected", "rejected", "rejected"]);
    assert.equal(await here.voices.countOf(caller.userId), VOICE_LIMITS.voices);
  });
});

for (const { texts, used, kept } of [
  { texts: ["First.", "Second."], used: ["First.", "Second."], kept: ["First.", "Second."] },
  // Joined by the client: which words are said in which recording is unknown.
  { texts: ["First.,Second."], used: [], kept: [null, null] },
  { texts: [], used: [], kept: [null, null] },
]) {
  it(`keeps one text for each recording, or none: ${JSON.stringify(texts)}`, async (context) => {
    const store = await openSqliteStore(await temporaryFolder(context));
    context.after(() => store.close());
    const measured: CloneRequest["texts"][] = [];
    const voices = creation(store, (each) => measured.push(each));
    const { id } = await voices.create(await newCaller(store), uploaded(texts), new AbortController().signal);
    const stored = await store.voiceBlobs.list(id, "recording");
    assert.deepEqual(
      stored.map(({ text }) => text),
      kept,
    );
    assert.deepEqual(measured, [used]);
    const vectors = await store.voiceBlobs.list(id, "network-vector");
    assert.deepEqual(
      vectors.map((blob) => [blob.number, toNetworkVector(blob)]),
      [[1, networkVector]],
    );
    const record = await store.voices.find(id);
    assert.deepEqual(
      [record?.engine, record?.speaker, record?.pitch, record?.pace, record?.languages.includes("es")],
      ["kokoro", "am_puck", 900, 1000, true],
    );
  });
}

for (const { texts, isRefined, state, queue } of [
  { texts: [], isRefined: true, state: "waiting", queue: "remakeQueue" },
  { texts: ["First.", "Second."], isRefined: true, state: "waiting", queue: "refinementQueue" },
  { texts: ["First.", "Second."], isRefined: false, state: undefined, queue: undefined },
] as const) {
  it(`enqueues a voice ${texts.length > 0 ? "with" : "without"} texts${isRefined ? " that is refined" : ""}: ${queue}`, async (context) => {
    const store = await openSqliteStore(await temporaryFolder(context));
    context.after(() => store.close());
    const voices = creation(store, undefined, isRefined);
    const made = await voices.create(await newCaller(store), uploaded(texts), new AbortController().signal);
    assert.deepEqual([made.refinement, (await store.voices.find(made.id))?.refinement], [state, state]);
    for (const each of ["remakeQueue", "refinementQueue"] as const)
      assert.equal((await store[each].claim("n"))?.voiceId, each === queue ? made.id : undefined, each);
  });
}
