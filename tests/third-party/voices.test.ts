import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Parlance } from "@parlance/client";
import { encodeMessagePack, voiceModel } from "@parlance/protocol";
import { FishAudioClient } from "fish-audio";
import { Session, TTSRequest } from "fish-audio-sdk";
import { pngFile } from "../../packages/speech/src/testing/png-file.ts";
import { type VoiceServer, voiceServer } from "../clients/voice-server.ts";

describe("voices, with published clients and our own", { timeout: 900_000 }, () => {
  let server: VoiceServer;
  let folder: string;
  let own: Parlance;
  before(async () => {
    server = await voiceServer();
    // The first recording loads the models.
    own = new Parlance({ baseUrl: server.url, apiKey: server.key, timeoutMs: 300_000 });
    folder = await mkdtemp(join(tmpdir(), "parlance-voices-client-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const headers = () => ({ authorization: `Bearer ${server.key}` });
  const isMp3 = (bytes: Uint8Array) => bytes.length > 4000 && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;

  it("fish-audio creates, finds, updates, speaks with and deletes a voice", async () => {
    const client = new FishAudioClient({ apiKey: server.key, baseUrl: server.url });
    const file = join(folder, "reference.wav");
    await writeFile(file, await server.clip("0870"));
    const made = await client.voices.ivc.create({
      title: "Austen's reader",
      voices: [createReadStream(file)],
      tags: ["calm", "book"],
      visibility: "private",
    } as never);
    assert.equal(made.state, "trained");
    assert.deepEqual(made.tags, ["calm", "book"]);
    const found = await client.voices.search({ self: true, title: "AUSTEN" });
    assert.deepEqual(
      found.items.map((item) => item._id),
      [made._id],
    );
    assert.equal((await client.voices.search({ title: "Austen" })).total, 0, "a private voice is not in the catalogue");
    await client.voices.update(made._id, { title: "Renamed", visibility: "unlist" });
    assert.equal((await client.voices.get(made._id)).title, "Renamed");
    const chunks: Uint8Array[] = [];
    const stream = await client.textToSpeech.convert({ text: "Hello from my own voice.", reference_id: made._id });
    for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk);
    assert.ok(isMp3(Buffer.concat(chunks)));
    await client.voices.delete(made._id);
    await assert.rejects(async () => client.voices.get(made._id), /404/);
  });

  it("fish-audio-sdk creates, lists, updates, speaks with and deletes a voice", async () => {
    const session = new Session(server.key, server.url);
    try {
      const made = await session.createModel({
        title: "Two clips",
        voices: [await server.clip("0870"), await server.clip("0920")],
        texts: ["one", "two"],
        tags: ["a", "b"],
        coverImage: pngFile(40, 30),
      });
      assert.equal(made.state, "trained");
      assert.deepEqual(made.tags, ["a", "b"]);
      const cover = await fetch(made.cover_image ?? (made as never as { coverImage: string }).coverImage, {
        headers: headers(),
      });
      assert.equal(cover.headers.get("content-type"), "image/jpeg");
      assert.equal(cover.headers.get("x-content-type-options"), "nosniff");
      assert.match(cover.headers.get("content-security-policy") ?? "", /default-src 'none'/);
      await session.updateModel(made.id, { description: "About it", tags: ["c"] });
      const listed = await session.listModels({ self: true });
      const model = listed.items.find((item: { id: string }) => item.id === made.id);
      assert.deepEqual([model?.description, model?.tags], ["About it", ["c"]]);
      const chunks: Uint8Array[] = [];
      const request = new TTSRequest("Hello again.", { referenceId: made.id });
      for await (const chunk of session.tts(request, { model: "s2-pro" } as never)) chunks.push(chunk);
      assert.ok(isMp3(Buffer.concat(chunks)));
      await session.deleteModel(made.id);
      assert.ok(!(await session.listModels({ self: true })).items.some((item: { id: string }) => item.id === made.id));
    } finally {
      session.close();
    }
  });

  it("our SDK creates a voice, gets its sample, likes and deletes it", async () => {
    const voices = [new File([new Uint8Array(await server.clip("0870"))], "../../etc/passwd")];
    const made = await own.voices.create({
      title: "<b>Bold</b> 'quoted' %_",
      voices,
      consent: "I am the speaker.",
      tags: ["x"],
    });
    assert.equal(made.title, "<b>Bold</b> 'quoted' %_");
    const sample = await fetch(made.samples[0]?.audio ?? "", { headers: headers() });
    assert.equal(sample.status, 200);
    assert.equal(sample.headers.get("content-type"), "audio/mpeg");
    const bytes = new Uint8Array(await sample.arrayBuffer());
    assert.ok(isMp3(bytes));
    const part = await fetch(made.samples[0]?.audio ?? "", { headers: { ...headers(), range: "bytes=100-199" } });
    assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 100]);
    assert.equal((await own.voices.like(made._id, true)).like_count, 1);
    assert.equal((await own.voices.list({ title: "'QUOTED' %_", self: true })).total, 1);
    await own.voices.delete(made._id);
    assert.equal((await fetch(made.samples[0]?.audio ?? "", { headers: headers() })).status, 404);
    assert.equal((await own.voices.list({ self: true })).total, 0);
  });

  it("MessagePack creates and changes a voice too", async () => {
    const type = { "content-type": "application/msgpack", ...headers() };
    const body = encodeMessagePack({
      title: "Packed",
      voices: [await server.clip("0870")],
      enhance_audio_quality: true,
    });
    const response = await fetch(`${server.url}/model`, { method: "POST", headers: type, body });
    assert.equal(response.status, 201);
    const made = voiceModel.parse(await response.json());
    const change = encodeMessagePack({ title: "Repacked", cover_image: pngFile(20, 20, { alpha: true }) });
    const changed = await fetch(`${server.url}/model/${made._id}`, { method: "PATCH", headers: type, body: change });
    const model = voiceModel.parse(await changed.json());
    assert.equal(model.title, "Repacked");
    assert.match(model.cover_image, /\/cover\?v=[0-9a-f]{16}$/);
    const form = { "content-type": "application/x-www-form-urlencoded", ...headers() };
    const third = await fetch(`${server.url}/model/${made._id}`, {
      method: "PATCH",
      headers: form,
      body: "tags=a&tags=b&visibility=unlisted",
    });
    const last = voiceModel.parse(await third.json());
    assert.deepEqual([last.tags, last.visibility, last.title], [["a", "b"], "unlist", "Repacked"]);
    await own.voices.delete(made._id);
  });

  it("speaks with reference audio in the request, the same for the same audio", async () => {
    const references = [{ audio: (await server.clip("0870")).toString("base64"), text: "whatever" }];
    const speak = async (extra: object) => {
      const response = await fetch(`${server.url}/v1/tts`, {
        method: "POST",
        headers: { ...headers(), model: "s2-pro", "content-type": "application/json" },
        body: JSON.stringify({ text: "Just this once.", format: "wav", seed: 5, ...extra }),
      });
      assert.equal(response.status, 200);
      return Buffer.from(await response.arrayBuffer());
    };
    const [one, two, other] = [await speak({ references }), await speak({ references }), await speak({})];
    assert.ok(one.length > 20_000);
    assert.ok(one.equals(two), "the same recordings give the same voice");
    assert.ok(!one.equals(other), "another voice than the default one");
    assert.equal((await own.voices.list({ self: true })).total, 0, "nothing is stored");
    const bad = await fetch(`${server.url}/v1/tts`, {
      method: "POST",
      headers: { ...headers(), model: "s2-pro", "content-type": "application/json" },
      body: JSON.stringify({ text: "No.", references: [{ audio: "AAAA", text: "" }] }),
    });
    assert.equal(bad.status, 400);
    assert.match(((await bad.json()) as { message: string }).message, /^references: recording 1 cannot be decoded/);
  });
});
