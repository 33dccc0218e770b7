import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SpeechError } from "@parlance/speech";
import { serveToneSpeech } from "../../../testing/serve-tone-speech.ts";
import { TEST_KEY, type TestServer } from "../../../testing/test-server.ts";
import type { ToneJob } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

const job = (jobs: readonly ToneJob[]): ToneJob => jobs.at(-1) ?? assert.fail("nothing was asked");

/** Sends a request over a bare socket, so that the test decides when it reads. */
function rawPost(server: TestServer, body: unknown, version = "1.1") {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const json = JSON.stringify(body);
  socket.write(
    `POST /v1/tts HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\nmodel: s2-pro\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  );
  return socket;
}

describe("a stream of speech", () => {
  it("sends its status with the first audio, so that an earlier failure gets an error response", async (context) => {
    const failures: readonly (readonly [unknown, number, string, string | null])[] = [
      [new SpeechError("overloaded", "full", 7), 503, "overloaded", "7"],
      [new SpeechError("overloaded", "full"), 503, "overloaded", "1"],
      [new SpeechError("closed", "bye"), 503, "draining", "1"],
      [new SpeechError("failed", "secret detail"), 500, "internal", null],
      [new TypeError("secret detail"), 500, "internal", null],
    ];
    let failure: unknown;
    const { server } = await serveToneSpeech(context, {
      before: () => {
        throw failure;
      },
    });
    for (const [error, status, code, retryAfter] of failures) {
      failure = error;
      const response = await server.post({ text: "a", format: "pcm" });
      assert.equal(response.status, status);
      assert.equal(response.headers.get("x-error-code"), code);
      assert.equal(response.headers.get("retry-after"), retryAfter);
      const body = await response.text();
      assert.doesNotMatch(body, /secret|Error|at /);
      assert.equal((JSON.parse(body) as { status: number }).status, status);
    }
    assert.match(server.log.join(""), /secret detail/);
  });

  it("ends abnormally when the engine fails after the first byte", async (context) => {
    const { server } = await serveToneSpeech(context, {
      before: (part) => {
        if (part === 2) throw new SpeechError("failed", "the worker died");
      },
    });
    const response = await server.post({ text: "a", format: "pcm" });
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());

    const socket = rawPost(server, { text: "a", format: "pcm" });
    let received = Buffer.alloc(0);
    socket.on("data", (data) => {
      received = Buffer.concat([received, data]);
    });
    socket.on("error", () => {});
    await once(socket, "close");
    assert.match(received.toString("latin1"), /^HTTP\/1\.1 200 OK/);
    assert.ok(!received.toString("latin1").endsWith("0\r\n\r\n"), "the chunked body must not be closed");
  });

  it("stops the synthesis when the client disconnects", async (context) => {
    const { server, speech } = await serveToneSpeech(context, {
      parts: 1000,
      before: async (part, signal) => {
        if (part > 0) await whenAborted(signal);
      },
    });
    const caller = new AbortController();
    const response = await server.post({ text: "a", format: "pcm" }, { signal: caller.signal });
    assert.equal(response.status, 200);
    caller.abort();
    await until(() => job(speech.jobs).ended);
    assert.ok(job(speech.jobs).signal.aborted);
    assert.equal(job(speech.jobs).parts, 1);
    await until(() => server.activeRequests.size === 0);
    const traces = async (query: string) => {
      const listed = await fetch(`${server.url}/account/traces${query}`, {
        headers: { authorization: `Bearer ${TEST_KEY}` },
      });
      return ((await listed.json()) as { items: { status: number }[] }).items.map(({ status }) => status);
    };
    await until(async () => (await traces("")).length > 0);
    assert.deepEqual(await traces(""), [499], "a request that its client stopped");
    assert.deepEqual(await traces("?status=error"), [], "has not failed");
  });

  it("stops the synthesis when the client disconnects before the first audio", async (context) => {
    const { server, speech } = await serveToneSpeech(context, { before: (_part, signal) => whenAborted(signal) });
    const caller = new AbortController();
    const response = server.post({ text: "a", format: "pcm" }, { signal: caller.signal });
    await until(() => speech.jobs.length === 1);
    caller.abort();
    await assert.rejects(response);
    await until(() => job(speech.jobs).ended);
    await until(() => server.log.some((line) => line.includes('"status":499')));
    assert.ok(!server.log.some((line) => line.includes("request failed")));
  });

  it("waits for a slow client", async (context) => {
    const parts = 2000;
    const { server, speech } = await serveToneSpeech(context, { parts, samplesPerPart: 8000 });
    const socket = rawPost(server, { text: "a", format: "pcm" });
    socket.pause();
    await until(() => speech.jobs.length === 1);
    // Synthesis has paused once its output no longer grows; the whole would be 32 MB.
    let seen = -1;
    await until(
      () => {
        const before = seen;
        seen = job(speech.jobs).parts;
        return seen === before;
      },
      { everyMs: 150 },
    );
    assert.ok(seen < parts / 2, `${seen} of ${parts} parts were made for a reader that reads nothing`);
    let received = 0;
    socket.on("data", (data) => {
      received += data.length;
    });
    socket.resume();
    await until(() => job(speech.jobs).ended);
    await until(() => received >= parts * 16_000);
    socket.destroy();
  });

  it("disconnects a client that reads nothing", async (context) => {
    const timeouts = { engineTimeoutMs: 60_000, readerTimeoutMs: 100 };
    const { server, speech } = await serveToneSpeech(
      context,
      { parts: 4000, samplesPerPart: 8000 },
      { parts: { timeouts } },
    );
    const socket = rawPost(server, { text: "a", format: "pcm" });
    socket.on("error", () => {});
    socket.pause();
    await until(() => speech.jobs.length === 1 && job(speech.jobs).ended);
    await until(() => server.activeRequests.size === 0);
    socket.destroy();
  });

  it("times out on an engine without output", async (context) => {
    const timeouts = { engineTimeoutMs: 50, readerTimeoutMs: 60_000 };
    const { server, speech } = await serveToneSpeech(
      context,
      { before: (_part, signal) => whenAborted(signal) },
      { parts: { timeouts } },
    );
    const response = await server.post({ text: "a", format: "pcm" });
    assert.equal(response.status, 503);
    assert.equal(response.headers.get("x-error-code"), "overloaded");
    assert.ok(job(speech.jobs).signal.aborted);
  });

  it("gives Node no reason to warn of a leak of listeners", { timeout: 60_000 }, async (context) => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on("warning", onWarning);
    context.after(() => process.off("warning", onWarning));
    const { server } = await serveToneSpeech(context, { parts: 100, samplesPerPart: 24_000 });
    const response = await server.post({ text: "a", format: "pcm" });
    // A pause, in which the response waits for the client to read.
    await sleep(200);
    assert.equal((await response.arrayBuffer()).byteLength, 2 * 100 * 24_000);
    assert.deepEqual(warnings, []);
  });

  it("works for HTTP/1.0, which has no chunks", async (context) => {
    const { server } = await serveToneSpeech(context, {});
    const socket = rawPost(server, { text: "a", format: "pcm" }, "1.0");
    const chunks: Buffer[] = [];
    for await (const data of socket) chunks.push(data as Buffer);
    const answer = Buffer.concat(chunks);
    const head = answer.subarray(0, answer.indexOf("\r\n\r\n")).toString();
    assert.doesNotMatch(head, /transfer-encoding/i);
    assert.equal(answer.length - head.length - 4, 3 * 3200);
  });
});
