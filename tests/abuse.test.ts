import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LIMITS, VOICE_LIMITS } from "@parlance/protocol";
import { connectLive } from "../packages/server/src/testing/live-client.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../packages/server/src/testing/test-server.ts";
import { createToneSpeech } from "../packages/server/src/testing/tone-speech.ts";
import { until } from "./support/until.ts";

/** Hostile or broken clients: the resources that they use are bounded, and released when they disconnect. */

async function serve(context: TestContext, options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  context.after(() => server.close());
  return server;
}

function open({ url }: TestServer): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("latin1");
  });
  return { socket, answer: new Promise((resolve) => socket.once("close", () => resolve(text))) };
}

const HEAD = `POST /v1/tts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\nmodel: s2-pro\r\n`;
const openFiles = (): number => readdirSync("/proc/self/fd").length;

describe("a slow connection", () => {
  it("is closed when the request head arrives too slowly", async (context) => {
    const server = await serve(context, { parts: { headersTimeoutMs: 300 } });
    const { socket, answer } = open(server);
    socket.write("POST /v1/tts HTTP/1.1\r\n");
    let sent = 0;
    const trickle = setInterval(() => socket.write(`X-${sent++}: y\r\n`), 50);
    const text = await answer;
    clearInterval(trickle);
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /\{"status":408,"message":"[^"]+"\}$/);
  });

  it("is closed when it sends nothing", async (context) => {
    const server = await serve(context, { parts: { headersTimeoutMs: 300 } });
    const { answer } = open(server);
    assert.match(await answer, /^(HTTP\/1\.1 408 .*)?$/s);
  });

  it("does not block other connections", async (context) => {
    const server = await serve(context);
    const lorises = Array.from({ length: 200 }, () => open(server));
    for (const { socket } of lorises) socket.write("POST /v1/tts HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    assert.equal((await server.post({ text: "Hello.", format: "pcm" })).status, 200);
    for (const { socket } of lorises) socket.destroy();
  });
});

describe("connections", () => {
  it("have a maximum number, and a closed one makes room", async (context) => {
    const server = await serve(context, { config: { maxConnections: 5 } });
    const held = Array.from({ length: 5 }, () => open(server));
    await Promise.all(held.map(({ socket }) => once(socket, "connect")));
    const tooMany = open(server);
    tooMany.socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
    assert.equal(await tooMany.answer, "");
    await until(() => server.log.some((line) => line.includes("connection.refused")), {
      what: "the refusal is logged",
    });
    for (const { socket } of held) socket.destroy();
    await until(
      async () => {
        try {
          return (await fetch(`${server.url}/health/live`)).ok;
        } catch {
          return false;
        }
      },
      { what: "there is room again" },
    );
  });
});

describe("a body", () => {
  const KIB = 1024;
  const COVER_FORM = VOICE_LIMITS.coverBytes + 2 * KIB * KIB;
  const WITH_REFERENCES = LIMITS.asrBodyBytes + LIMITS.asrReferences.count * LIMITS.asrReferences.bytes;
  const cases: readonly (readonly [method: string, path: string, bytes: number, type?: string])[] = [
    ["POST", "/v1/tts", LIMITS.ttsBodyBytes],
    ["POST", "/v1/tts/stream/with-timestamp", LIMITS.ttsBodyBytes],
    ["POST", "/v1/asr", LIMITS.asrBodyBytes, "application/msgpack"],
    ["POST", "/v1/audio/speech", LIMITS.ttsBodyBytes],
    ["POST", "/v1/audio/transcriptions", WITH_REFERENCES, "multipart/form-data; boundary=b"],
    ["POST", "/v1/audio/translations", LIMITS.asrBodyBytes, "multipart/form-data; boundary=b"],
    ["POST", "/model", VOICE_LIMITS.messagePackBytes, "application/msgpack"],
    ["PATCH", `/model/${"0".repeat(32)}`, 64 * KIB],
    ["PATCH", `/model/${"0".repeat(32)}`, COVER_FORM, "application/msgpack"],
    ["PATCH", "/account", 64 * KIB],
    ["POST", "/account/password", 64 * KIB],
    ["POST", "/account/keys", 64 * KIB],
    ["POST", "/account/sign-in", 64 * KIB],
    ["POST", "/account/sign-in-link", 64 * KIB],
    ["POST", "/admin/users", 64 * KIB],
    ["PUT", "/admin/wallet/self/subscription", 64 * KIB],
    ["POST", "/admin/wallet/self/grants", 64 * KIB],
  ];
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());
  for (const [method, path, bytes, type = "application/json"] of cases) {
    it(`of ${method} ${path} (${type}) is refused by its announced length when it is too large`, async () => {
      const { socket, answer } = open(server);
      const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${TEST_KEY}\r\n`;
      // None of it is ever sent.
      socket.write(`${head}Content-Type: ${type}\r\nContent-Length: ${bytes + 1}\r\n\r\n`);
      const text = await Promise.race([answer, once(socket, "data").then(([data]) => String(data))]);
      assert.match(text, /^HTTP\/1\.1 413 /);
      socket.destroy();
    });
  }

  it("without a length is aborted at its limit", async () => {
    const { socket, answer } = open(server);
    socket.write(`${HEAD.replace("/v1/tts", "/account/keys")}Content-Type: application/json\r\n`);
    socket.write("Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
    const chunk = `${(64 * KIB).toString(16)}\r\n${" ".repeat(64 * KIB)}\r\n`;
    for (let sent = 0; sent < 4; sent++) socket.write(chunk);
    assert.match(await answer, /^HTTP\/1\.1 413 /);
  });
});

describe("many clients that disconnect", () => {
  const ROUNDS = 6;
  const AT_ONCE = 50;

  it("leave no work, slot, reservation or file", async (context) => {
    const speech = createToneSpeech({ parts: 500, samplesPerPart: 2400, before: () => sleep(2) });
    const server = await serve(context, { speech, config: { concurrency: 10_000, queue: 10_000 } });
    const folder = join(server.folder, "uploads");
    const uploads = async () =>
      existsSync(folder)
        ? (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
        : 0;
    await (await server.post({ text: "", format: "pcm" })).arrayBuffer();
    const before = { files: openFiles(), uploads: await uploads() };
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => disconnect(server, index)));
    }
    await until(() => server.activeRequests.size === 0, { what: "nothing runs" });
    await until(() => speech.jobs.every(({ ended }) => ended), {
      what: "nothing is spoken",
    });
    await until(async () => (await server.store.reservations.ofUser(server.adminId)).length === 0, {
      what: "no credit is reserved",
    });
    await until(async () => (await uploads()) <= before.uploads, {
      what: "no recording is left",
    });
    await until(() => openFiles() <= before.files + 5, {
      what: "the files are closed",
    });
    const answer = await server.post({ text: "Hello.", format: "pcm" }, { headers: { connection: "close" } });
    assert.equal(answer.headers.get("ratelimit-current-concurrency"), "1");
    await answer.arrayBuffer();
    const sums = await server.store.ledger.sums(server.adminId);
    assert.ok(sums.entries > 0);
    const wallet = await server.store.wallets.find(server.adminId);
    assert.deepEqual([wallet?.balance, wallet?.extra], [sums.package, sums.extra]);
    assert.ok(!server.log.some((line) => line.includes('"level":50')), "something failed");
  });

  /** Disconnects at a different moment for each index. */
  async function disconnect(server: TestServer, index: number): Promise<void> {
    if (index % 5 === 4) {
      const live = await connectLive(server.url);
      live.send({ event: "start", request: { text: "", format: "pcm" } }, { event: "text", text: "Go. ".repeat(200) });
      if (index % 2 === 0) await live.next();
      live.socket.terminate();
      return;
    }
    const { socket, answer } = open(server);
    const body = JSON.stringify({ text: "Go on and on.", format: "pcm" });
    const moments = [
      // During the request, right after it, after the first audio, and during an upload.
      () => socket.write(HEAD),
      () => socket.write(`${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      async () => {
        socket.write(`${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        await once(socket, "data");
      },
      async () => {
        socket.write(HEAD.replace("/v1/tts", "/v1/asr"));
        socket.write("Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n--b\r\n");
        socket.write('Content-Disposition: form-data; name="audio"; filename="a"\r\n\r\n');
        await new Promise((resolve) => socket.write(Buffer.alloc(200_000), resolve));
      },
    ];
    await moments[index % 5]?.();
    if (index % 2 === 0) socket.destroy();
    else socket.resetAndDestroy();
    await answer;
  }
});

describe("many idle live sockets", () => {
  it("do not block a socket that speaks, and are released when they close", async (context) => {
    const server = await serve(context, { config: { concurrency: 10_000, socketsPerAccount: 1000 } });
    const before = openFiles();
    const idle = await Promise.all(Array.from({ length: 200 }, () => connectLive(server.url)));
    const speaking = await connectLive(server.url);
    speaking.send({ event: "start", request: { text: "One. Two.", format: "pcm" } }, { event: "stop" });
    assert.equal((await speaking.round()).finish.reason, "stop");
    for (const { socket } of [...idle, speaking]) socket.terminate();
    await until(() => openFiles() <= before + 5, { what: "the files are closed" });
  });
});
