import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { encodeMessagePack } from "@parlance/protocol";
import { form, head, raw, recording, send, uploads } from "../../../testing/asr-client.ts";
import { createBurstTranscription } from "../../../testing/burst-transcription.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { until } from "../../../testing/until.ts";

describe("POST /v1/asr under load", () => {
  async function start(options: Parameters<typeof startTestServer>[0]): Promise<TestServer> {
    const server = await startTestServer(options);
    after(() => server.close());
    return server;
  }

  it("stops the recognition and removes the recording when the client disconnects", async () => {
    const transcription = createBurstTranscription({
      before: ({ signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const server = await start({ transcription });
    const disconnect = new AbortController();
    const answer = send(server, form(recording), { signal: disconnect.signal });
    await until(() => transcription.jobs.length === 1);
    assert.equal((await uploads(server)).length, 1);
    disconnect.abort();
    await assert.rejects(answer);
    await until(() => transcription.jobs[0]?.ended === true);
    await until(async () => (await uploads(server)).length === 0);
    await until(() => server.log.some((line) => line.includes('"status":499')));
    assert.ok(!server.log.some((line) => line.includes('"level":50')), server.log.join(""));
  });

  it("removes a partial recording when the client disconnects during the upload", async () => {
    const server = await start({});
    for (const type of ["application/msgpack", "multipart/form-data; boundary=b"]) {
      const { socket, answer } = raw(server);
      socket.write(head(`Content-Type: ${type}\r\nContent-Length: 1000000`));
      const start = type.startsWith("multipart")
        ? '--b\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\n'
        : encodeMessagePack({ audio: new Uint8Array(900_000) }).slice(0, 12);
      socket.write(start);
      socket.write(Buffer.alloc(300_000));
      await until(async () => (await uploads(server)).length > 0);
      socket.destroy();
      await answer;
      await until(async () => (await uploads(server)).length === 0);
    }
  });

  it("times out on a recording that arrives too slowly", async () => {
    const server = await start({ parts: { uploadTimeouts: { idleMs: 60_000, totalMs: 400 } } });
    const { socket, answer } = raw(server);
    socket.write(head("Content-Type: application/msgpack\r\nContent-Length: 1000000"));
    socket.write(encodeMessagePack({ audio: new Uint8Array(900_000) }).subarray(0, 100));
    const trickle = setInterval(() => socket.write(Uint8Array.of(0)), 50);
    const text = await answer;
    clearInterval(trickle);
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /x-error-code: upload_too_slow/);
    assert.match(text, /not all of it came in 0\.4 s/);
    await until(async () => (await uploads(server)).length === 0);
  });

  it("times out on a recording that stops arriving", async () => {
    const server = await start({ parts: { uploadTimeouts: { idleMs: 200, totalMs: 60_000 } } });
    for (const type of ["application/msgpack", "multipart/form-data; boundary=b"]) {
      const { socket, answer } = raw(server);
      socket.write(head(`Content-Type: ${type}\r\nContent-Length: 1000000`));
      socket.write(type.startsWith("multipart") ? "--b\r\n" : Uint8Array.of(0x81));
      assert.match(await answer, /^HTTP\/1\.1 408 .*nothing came for 0\.2 s/s);
      await until(async () => (await uploads(server)).length === 0);
    }
  });

  it("responds 503 and names what is missing while there is no model", async () => {
    const server = await start({ transcription: createBurstTranscription({ engines: [] }) });
    const response = await send(server, form(recording));
    assert.equal(response.status, 503);
    assert.equal(response.headers.get("x-error-code"), "not_ready");
    assert.equal(response.headers.get("retry-after"), "10");
    assert.match(await response.text(), /the models that listen are still being fetched/);
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 200);
  });

  it("offers the languages of the installed engines", async () => {
    const server = await start({ transcription: createBurstTranscription({ engines: ["moonshine"] }) });
    const french = await send(server, form(recording, { language: "fr" }));
    assert.equal(french.status, 400);
    const whisper = await send(server, form(recording), { headers: { model: "whisper" } });
    assert.match(await whisper.text(), /use one of transcribe-1, moonshine, transcribe-1-pro"/);
  });

  it("refuses one concurrent request too many, and releases the slots afterwards", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const transcription = createBurstTranscription({ before: () => released });
    const server = await start({ transcription, config: { concurrency: 2 } });
    const running = [send(server, form(recording)), send(server, form(recording))];
    await until(() => transcription.jobs.length === 2);
    const refusal = await send(server, form(recording));
    assert.equal(refusal.status, 429);
    assert.ok(Number(refusal.headers.get("retry-after")) >= 1);
    release();
    for (const response of running) assert.equal((await response).status, 200);
    assert.equal((await send(server, form(recording))).status, 200);
  });
});
