import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { encodeMessagePack } from "@parlance/protocol";
import { createSpeech, type Speech } from "@parlance/speech";
import { connectLive } from "../packages/server/src/testing/live-client.ts";
import { startTestServer, type TestServer } from "../packages/server/src/testing/test-server.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { until } from "./support/until.ts";

const SENTENCE = "The harbour was quiet, and the last of the boats had come in before the wind turned. ";
const LONG = SENTENCE.repeat(40);
const QUEUE = 2;

describe("the service with its real engines", () => {
  let speech: Speech;
  let server: TestServer;

  before(async () => {
    const models = await testModels("piper-libritts", "kokoro-q8");
    speech = await createSpeech({ models, queue: QUEUE, keepAhead: false });
    server = await startTestServer({ speech, config: { concurrency: 20 } });
  });
  after(async () => {
    await server.close();
    await speech.close();
  });

  const workers = () => speech.workers().filter((worker) => worker.engine === "kokoro");
  const short = () => server.post({ text: "Hello there.", format: "pcm", seed: 1 });

  test("JSON and MessagePack give the same audio", async () => {
    const request = { text: "The same words.", format: "pcm", seed: 5 };
    const json = await server.post(request);
    const packed = await server.post(encodeMessagePack(request), {
      headers: { "content-type": "application/msgpack" },
    });
    assert.equal(json.status, 200);
    assert.deepEqual(new Uint8Array(await packed.arrayBuffer()), new Uint8Array(await json.arrayBuffer()));
  });

  test("text without words gives a short silence, over HTTP and for each flush of a live round", async () => {
    // Clients count turns without audio as failures, and give up after a few.
    const isShortSilence = (audio: Uint8Array): boolean => audio.length < 44_100 && audio.every((byte) => byte === 0);
    const response = await server.post({ text: "… 😀", format: "pcm" });
    assert.equal(response.status, 200);
    assert.ok(isShortSilence(new Uint8Array(await response.arrayBuffer())));
    const client = await connectLive(server.url);
    client.send({ event: "start", request: { text: "", format: "pcm", sample_rate: 44_100 } });
    for (const text of ["…", "?!", "😀👍", "— * —"]) {
      client.send({ event: "text", text }, { event: "flush" });
      let bytes = 0;
      while (bytes < 0.19 * 44_100 * 2) {
        const item = await client.next();
        assert.ok(typeof item === "object" && item.event === "audio", `${text}: ${JSON.stringify(item)}`);
        assert.ok(isShortSilence(item.audio), text);
        bytes += item.audio.length;
      }
    }
    client.send({ event: "text", text: "Words." }, { event: "stop" });
    const { audio, finish } = await client.round();
    assert.equal(finish.reason, "stop");
    assert.ok(audio.some((byte) => byte !== 0));
    await client.close();
  });

  test("a full queue responds 503 with a retry time; a client that disconnects frees its slot immediately", async () => {
    const gone = new AbortController();
    const held = await Promise.all(
      Array.from({ length: QUEUE }, () => server.post({ text: LONG, format: "pcm" }, { signal: gone.signal })),
    );
    for (const response of held) assert.equal(response.status, 200);
    const refused = await short();
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get("x-error-code"), "overloaded");
    assert.ok(Number(refused.headers.get("retry-after")) >= 1);
    assert.deepEqual(Object.keys((await refused.json()) as object).sort(), ["message", "status"]);
    gone.abort();
    // Their texts would take minutes: only stopped work frees the slots.
    await until(async () => (await short()).status === 200, {
      what: "the slots are free",
      timeoutMs: 120_000,
      everyMs: 20,
    });
  });

  test("workers that are killed before the first audio do not affect the response", async () => {
    await until(() => workers().length > 0, { what: "there are workers", timeoutMs: 120_000, everyMs: 20 });
    const expected = await (await short()).arrayBuffer();
    const answer = short();
    for (const { pid } of workers()) process.kill(pid, "SIGKILL");
    const response = await answer;
    assert.equal(response.status, 200);
    assert.equal((await response.arrayBuffer()).byteLength, expected.byteLength);
  });

  test("workers that are killed in the middle interrupt the response, and the next one is complete", async () => {
    await until(() => workers().length > 0, { what: "there are workers", timeoutMs: 120_000, everyMs: 20 });
    const response = await server.post({ text: LONG, format: "pcm" });
    assert.ok(response.body);
    const reader = response.body.getReader();
    await reader.read();
    // A kill between two chunks has no effect: repeat until a worker is killed while it speaks.
    await assert.rejects(async () => {
      for (let end = false; !end; end = (await reader.read()).done) {
        for (const { pid } of workers()) process.kill(pid, "SIGKILL");
      }
    });
    await until(() => workers().length > 0, { what: "the workers are back", timeoutMs: 120_000, everyMs: 20 });
    assert.equal((await short()).status, 200);
  });

  test("the model header selects the engine, and a voice selects its own", async () => {
    for (const request of [
      { model: "piper", body: { text: "Yes." } },
      { model: "s2-pro", body: { text: "Si.", reference_id: "if_sara" } },
    ]) {
      const response = await server.post({ ...request.body, format: "wav" }, { headers: { model: request.model } });
      assert.equal(response.status, 200);
      assert.ok((await response.arrayBuffer()).byteLength > 20_000);
    }
    const clara = await server.post({ text: "Yes.", format: "wav", reference_id: "clara" });
    assert.equal(clara.status, 200);
    await clara.arrayBuffer();
    const mismatch = await server.post({ text: "Yes.", reference_id: "af_heart" }, { headers: { model: "piper" } });
    assert.equal(mismatch.status, 400);
  });
});
