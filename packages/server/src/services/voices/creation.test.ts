import assert from "node:assert/strict";
import { it } from "node:test";
import type { CloneRequest } from "@parlance/speech";
import { openSqliteStore } from "../../stores/sqlite.ts";
import { databaseFiles } from "../../testing/database-files.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { createVoiceCreation } from "./creation.ts";

const recording = {
  clipped: 0,
  halvesSimilarity: 1,
  vector: new Float32Array(2),
  pitch: 120,
  speechSeconds: 4,
  speech: new Uint8Array(4),
};

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
    const voices = createVoiceCreation({
      store,
      files: databaseFiles(store),
      cloning: {
        missingModels: () => [],
        requestModels: async () => {},
        async create(request) {
          measured.push(request.texts);
          return {
            recordings: [recording, recording],
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
    });
    const request = {
      title: "Ada",
      description: "",
      tags: [],
      visibility: "private",
      enhance: false,
      consent: "",
    } as const;
    const caller = { userId: await insertUser(store), keyId: undefined, role: "member", plan: "free" } as const;
    const voice = { request: { ...request, texts }, recordings: ["a.wav", "b.wav"], cover: undefined };
    const { id } = await voices.create(caller, voice, new AbortController().signal);
    const stored = await store.voiceBlobs.list(id, "recording");
    assert.deepEqual(
      stored.map(({ text }) => text),
      kept,
    );
    assert.deepEqual(measured, [used]);
    const record = await store.voices.find(id);
    assert.deepEqual(
      [record?.engine, record?.speaker, record?.pitch, record?.pace, record?.languages.includes("es")],
      ["kokoro", "am_puck", 900, 1000, true],
    );
  });
}
