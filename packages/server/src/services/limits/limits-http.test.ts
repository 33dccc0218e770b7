import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { LIVE_PATH } from "@parlance/protocol";
import { WebSocket } from "ws";
import { openPostgresStore } from "../../stores/postgres.ts";
import { onPostgres } from "../../testing/databases.ts";
import { connectLive } from "../../testing/live-client.ts";
import { startTestServer, TEST_KEY } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import { bootstrap } from "../identity/bootstrap.ts";

/** Speech that waits until `open` is called. */
function gated() {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { speech: createToneSpeech({ before: () => gate }), open: () => open() };
}

/** The response to a refused upgrade. */
async function refusedUpgrade(url: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${TEST_KEY}` };
  const socket = new WebSocket(url.replace(/^http/, "ws") + LIVE_PATH, { headers });
  socket.on("error", () => {});
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  response.resume();
  return response;
}

describe("limits over HTTP", () => {
  it("are described in the headers of every response", async (context) => {
    // A fixed clock: otherwise the rate bucket refills during the test.
    const time = performance.now();
    context.mock.method(performance, "now", () => time);
    const server = await startTestServer({ config: { concurrency: 2, requestsPerMinute: 2 } });
    context.after(() => server.close());
    const limitsOf = async () => {
      const response = await server.post({ text: "a", format: "pcm" });
      await response.arrayBuffer();
      const names = ["-limit", "-remaining", "-limit-concurrency", "-current-concurrency", ""];
      return [response.status, ...names.map((name) => response.headers.get(`ratelimit${name}`))];
    };
    assert.deepEqual(await limitsOf(), [200, "2", "1", "2", "1", '"concurrency";r=1, "rate";r=1;t=30']);
    assert.deepEqual(await limitsOf(), [200, "2", "0", "2", "1", '"concurrency";r=1, "rate";r=0;t=30']);
    assert.deepEqual(await limitsOf(), [429, "2", "0", "2", "0", '"concurrency";r=2, "rate";r=0;t=30']);
    const refused = await server.post({ text: "a" });
    assert.equal(refused.headers.get("retry-after"), "30");
    assert.equal(refused.headers.get("ratelimit-reset"), "60");
    const policies = '"concurrency";q=2;qu="concurrent-requests", "rate";q=2;w=60';
    assert.equal(refused.headers.get("ratelimit-policy"), policies);
    const upgrade = await refusedUpgrade(server.url);
    assert.equal(upgrade.statusCode, 429);
    assert.equal(upgrade.headers["ratelimit-remaining"], "0");
    assert.ok(upgrade.headers["retry-after"]);
  });

  it("leave out the rate headers when there is no rate limit", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const response = await server.post({ text: "a", format: "pcm" });
    await response.arrayBuffer();
    assert.equal(response.headers.get("ratelimit-limit"), null);
    assert.equal(response.headers.get("ratelimit-limit-concurrency"), "50");
    assert.equal(response.headers.get("ratelimit-policy"), '"concurrency";q=50;qu="concurrent-requests"');
  });

  it("follow the plan that the account has when the request comes", async (context) => {
    const server = await startTestServer({ config: { requestsPerMinute: undefined } });
    context.after(() => server.close());
    const limit = async () => {
      const response = await server.post({ text: "a", format: "pcm" });
      await response.arrayBuffer();
      return response.headers.get("ratelimit-limit-concurrency");
    };
    assert.equal(await limit(), "50");
    await server.store.users.update(server.adminId, { plan: "free" }, new Date().toISOString());
    assert.equal(await limit(), "5");
  });

  it("let requests wait in order where that is configured, and skip those whose client disconnects", async (context) => {
    const { speech, open } = gated();
    const server = await startTestServer({ speech, config: { concurrency: 1, waitMs: 60_000 } });
    context.after(() => server.close());
    // The last query of a request before it waits.
    const { findOwned } = server.store.apiKeys;
    let known = 0;
    context.mock.method(server.store.apiKeys, "findOwned", (hash: string) => findOwned(hash).finally(() => known++));
    const waiting = async (count: number): Promise<void> => {
      await until(() => known === count);
      await new Promise(setImmediate);
    };
    const first = server.post({ text: "first", format: "pcm" });
    await until(() => speech.jobs.length === 1);
    const leaving = new AbortController();
    const left = server.post({ text: "left", format: "pcm" }, { signal: leaving.signal }).catch(() => "left");
    await waiting(2);
    const last = server.post({ text: "last", format: "pcm" });
    await waiting(3);
    leaving.abort();
    assert.equal(await left, "left");
    await until(() => server.log.some((line) => line.includes('"status":499')));
    open();
    for (const response of [await first, await last]) {
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }
    assert.deepEqual(
      speech.jobs.map((job) => job.request.text),
      ["first", "last"],
    );
  });

  it("apply to each round of a live socket", async (context) => {
    const { speech, open } = gated();
    const server = await startTestServer({ speech, config: { concurrency: 1 } });
    context.after(() => server.close());
    const live = await connectLive(server.url);
    const words = [{ event: "start", request: { format: "pcm", text: "Words." } }, { event: "stop" }];
    live.send({ event: "start", request: { format: "pcm" } }, { event: "stop" });
    assert.equal((await live.round()).finish.reason, "stop");
    const running = server.post({ text: "a", format: "pcm" });
    await until(() => speech.jobs.length === 2);
    live.send(...words);
    assert.match(
      (await live.round()).finish.message ?? "",
      /^Over the limit of 1 requests at a time \(retry in \d+ s\)$/,
    );
    open();
    await (await running).arrayBuffer();
    live.send(...words);
    assert.equal((await live.round()).finish.reason, "stop");
    await live.close();
  });
});

/** A TCP proxy to the database that can be closed and opened again. */
async function openProxy(context: TestContext, url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const own = (proxy.address() as AddressInfo).port;
  const close = async (): Promise<void> => {
    const closed = once(proxy, "close");
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const reopen = async (): Promise<void> => {
    proxy.listen(own, "127.0.0.1");
    await once(proxy, "listening");
  };
  context.after(() => (proxy.listening ? close() : undefined));
  return { url: Object.assign(new URL(url), { port: String(own) }).href, close, reopen };
}

onPostgres("a server that loses its database", (newDatabase) => {
  it("answers 503, and recovers when the database is back", async (context) => {
    const { config } = await newDatabase(context);
    const proxy = await openProxy(context, config.databaseUrl ?? "");
    const store = await openPostgresStore(proxy.url);
    await bootstrap(store, TEST_KEY);
    const server = await startTestServer({ parts: { store }, config: { requestsPerMinute: undefined } });
    context.after(async () => {
      await server.close();
      await store.close();
    });
    const speak = async () => {
      const response = await server.post({ text: "a", format: "pcm" });
      await response.arrayBuffer();
      return { status: response.status, code: response.headers.get("x-error-code"), headers: response.headers };
    };
    assert.equal((await speak()).status, 200);
    await proxy.close();
    for (let i = 0; i < 3; i += 1) {
      const refused = await speak();
      assert.deepEqual([refused.status, refused.code], [503, "unavailable"]);
      assert.equal(refused.headers.get("retry-after"), "1");
    }
    await proxy.reopen();
    const answer = await speak();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("ratelimit-current-concurrency"), "1");
  });
});
