import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectTcp } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { encodeMessagePack } from "@parlance/protocol";
import { connectLive, type LiveConnect } from "../../../testing/live-client.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../../testing/test-server.ts";
import { until } from "../../../testing/until.ts";

async function serve(context: TestContext, extra: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(extra);
  context.after(() => server.close());
  return { server, connect: (connect?: LiveConnect) => connectLive(server.url, connect) };
}

const start = { event: "start", request: { text: "", format: "pcm" } };
const stop = { event: "stop" };

/** Requests an upgrade that is expected to be refused. */
async function refused(server: TestServer, path: string, headers: Readonly<Record<string, string>> = {}) {
  const request = httpRequest(server.url + path, {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      ...headers,
    },
  });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(body) as unknown };
}

const authorization = `Bearer ${TEST_KEY}`;

describe("the upgrade to the live socket", () => {
  it("has a trace id, the client's when there is one, and the number of slots in use", async (context) => {
    const { connect } = await serve(context, { config: { concurrency: 5 } });
    const client = await connect({ headers: { traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01` } });
    assert.equal(client.headers["x-trace-id"], "ab".repeat(16));
    assert.equal(client.headers["ratelimit-limit-concurrency"], "5");
    assert.equal(client.headers["ratelimit-current-concurrency"], "1");
    assert.equal(client.headers["sec-websocket-extensions"], undefined);
    await client.close();
    assert.match(String((await connect()).headers["x-trace-id"]), /^[0-9a-f]{32}$/);
  });

  it("is accepted with doubled slashes and a query", async (context) => {
    const { connect } = await serve(context);
    for (const path of ["//v1/tts/live", "/v1//tts///live?x=//y", "//v1/tts/live//with-timestamp"]) {
      const client = await connect({ path });
      client.send(start, stop);
      assert.equal((await client.round()).finish.reason, "stop");
      await client.close();
    }
  });

  it("is refused with 404 on other paths", async (context) => {
    const { server } = await serve(context);
    for (const path of ["/", "/v1/tts", "/v1/tts/live/", "/v1/tts/lives", "/v1/tts/stream/with-timestamp"]) {
      const answer = await refused(server, `${path}?key=secret`, { authorization });
      assert.equal(answer.status, 404);
      assert.equal(answer.headers["x-error-code"], "not_found");
      assert.deepEqual(answer.body, { status: 404, message: `Not found: GET ${path}` });
    }
  });

  it("is refused with 401 without a valid key in the header; a key in the query is ignored", async (context) => {
    const { server } = await serve(context);
    for (const [headers, code] of [
      [{}, "missing_api_key"],
      [{ authorization: "Bearer wrong-key-0123456789" }, "invalid_api_key"],
    ] as const) {
      const path = `/v1/tts/live?api_key=${TEST_KEY}&authorization=Bearer%20${TEST_KEY}&token=${TEST_KEY}`;
      const answer = await refused(server, path, headers);
      assert.equal(answer.status, 401);
      assert.equal(answer.headers["x-error-code"], code);
      assert.equal(answer.headers["www-authenticate"], "Bearer");
      assert.match(String(answer.headers["x-trace-id"]), /^[0-9a-f]{32}$/);
      assert.deepEqual(Object.keys(answer.body as object), ["status", "message"]);
    }
    assert.doesNotMatch(server.log.join(""), new RegExp(TEST_KEY));
    assert.equal(server.log.filter((line) => line.includes('"status":401')).length, 2);
  });

  it("is refused with 429 over a limit, and with 503 while the server drains", async (context) => {
    const { server, connect } = await serve(context, { config: { concurrency: 1 } });
    const client = await connect();
    const full = await refused(server, "/v1/tts/live", { authorization });
    assert.deepEqual(
      [full.status, full.headers["x-error-code"], full.headers["retry-after"]],
      [429, "concurrency_limited", "1"],
    );
    await client.close();
    const limited = await serve(context, { config: { requestsPerMinute: 1 } });
    await (await limited.connect()).close();
    const often = await refused(limited.server, "/v1/tts/live", { authorization });
    assert.deepEqual([often.status, often.headers["x-error-code"]], [429, "rate_limited"]);
    server.activeRequests.drain();
    const late = await refused(server, "/v1/tts/live", { authorization });
    assert.deepEqual([late.status, late.headers["x-error-code"], late.headers["retry-after"]], [503, "draining", "5"]);
  });

  it("is refused when the handshake is invalid, and releases its slot", async (context) => {
    const { server, connect } = await serve(context, { config: { concurrency: 1 } });
    for (const wrong of [{ "sec-websocket-key": "short" }, { "sec-websocket-version": "99" }]) {
      const answer = await refused(server, "/v1/tts/live", { authorization, ...wrong });
      assert.equal(answer.status, 422);
      assert.ok(Array.isArray(answer.body));
    }
    await (await connect()).close();
  });
});

describe("an offer of another protocol", () => {
  it("changes nothing about an ordinary request", async (context) => {
    const { server } = await serve(context);
    const { hostname, port } = new URL(server.url);
    const body = JSON.stringify({ text: "a", format: "pcm" });
    const socket = connectTcp(Number(port), hostname);
    // As Java's client does it, with a body that comes a little later, and again on the same connection.
    for (const again of ["keep-alive", "close"]) {
      socket.write(
        `POST //v1/tts HTTP/1.1\r\nHost: x\r\nConnection: ${again}, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\nAuthorization: Bearer ${TEST_KEY}\r\nmodel: s2-pro\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.write(body);
      let answer = "";
      while (!answer.endsWith("0\r\n\r\n"))
        answer += String(((await once(socket, "data")) as [Buffer])[0].toString("latin1"));
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(answer, /content-type: audio\/pcm/);
    }
    await once(socket, "close");
  });
});

describe("the slots of an account", () => {
  const speak = async (server: TestServer): Promise<number> => {
    const response = await server.post({ text: "a", format: "pcm" });
    await response.arrayBuffer();
    return response.status;
  };

  it("are held by a socket up to its first finish, and by each round after it", async (context) => {
    const { server, connect } = await serve(context, { config: { concurrency: 1 } });
    const client = await connect();
    assert.equal(await speak(server), 429, "from the upgrade on");
    client.send(start);
    assert.equal(await speak(server), 429);
    client.send(stop);
    await client.round();
    assert.equal(await speak(server), 200, "between rounds it is free");

    const other = await connect();
    client.send(start, { event: "text", text: "Words." }, stop);
    assert.match((await client.round()).finish.message ?? "", /limit of 1 requests at a time/);
    await other.close();
    client.send(start, stop);
    assert.equal((await client.round()).finish.reason, "stop", "and the socket can be used again");
    client.send({ event: "start", request: 5 }, stop);
    await client.round();
    assert.equal(await speak(server), 200, "a bad start gives it back");
    client.send(start, { event: "text", text: "Words" });
    await new Promise((resolve) => setTimeout(resolve, 30));
    client.socket.terminate();
    await until(async () => (await speak(server)) === 200);
  });

  it("are released soon by an idle (pre-opened) socket, which can still be used", async (context) => {
    const { server, connect } = await serve(context, { config: { concurrency: 1 } });
    const client = await connect();
    assert.equal(await speak(server), 429);
    await until(async () => (await speak(server)) === 200, { everyMs: 100 });
    client.send(start, stop);
    assert.equal((await client.round()).finish.reason, "stop");
    await client.close();
  });

  it("are released when the upgrade is aborted", async (context) => {
    const { server, connect } = await serve(context, { config: { concurrency: 1 } });
    const { hostname, port } = new URL(server.url);
    for (let i = 0; i < 10; i += 1) {
      const socket = connectTcp(Number(port), hostname);
      socket.on("error", () => {});
      socket.write(
        `GET /v1/tts/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`,
      );
      await new Promise((resolve) => setTimeout(resolve, i % 4));
      socket.resetAndDestroy();
    }
    const taken = await until(() => connect().catch(() => undefined));
    taken.socket.send(encodeMessagePack(start));
    taken.send(stop);
    assert.equal((await taken.round()).finish.reason, "stop");
    await taken.close();
  });
});
