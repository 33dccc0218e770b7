import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { WebSocket } from "ws";
import { connectLive } from "../testing/live-client.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { startTestServer, TEST_KEY } from "../testing/test-server.ts";

const HEADERS: Readonly<Record<string, RegExp>> = {
  "x-trace-id": /^[0-9a-f]{32}$/,
  "x-content-type-options": /^nosniff$/,
  "x-frame-options": /^DENY$/,
  "referrer-policy": /^no-referrer$/,
  "permissions-policy": /^camera=\(\), .*microphone=\(self\)/,
  "content-security-policy": /default-src 'none';.*frame-ancestors 'none'/,
  "cross-origin-resource-policy": /^same-origin$/,
  "cross-origin-opener-policy": /^same-origin$/,
};

type Get = (name: string) => string | null | undefined;

function assertSafe(get: Get, what: string): void {
  for (const [name, value] of Object.entries(HEADERS)) {
    assert.match(get(name) ?? "", value, `${name} of ${what}`);
  }
  assert.equal(get("access-control-allow-origin") ?? null, null, what);
}

async function start(context: TestContext, config: NonNullable<Parameters<typeof startTestServer>[0]>["config"] = {}) {
  const dashboard = await temporaryFolder(context);
  await writeFile(join(dashboard, "index.html"), "<!doctype html>");
  await writeFile(join(dashboard, "app.js"), "");
  const server = await startTestServer({ config, parts: { dashboard } });
  context.after(() => server.close());
  return server;
}

async function refusedUpgrade(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/tts/live`, { headers });
  socket.on("error", () => {});
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  response.resume();
  return response;
}

describe("security headers", { timeout: 120_000 }, () => {
  it("are on every response: pages, files, errors, streams, upgrades and invalid HTTP", async (context) => {
    const server = await start(context);
    const requests: readonly (readonly [string, RequestInit?])[] = [
      ["/"],
      ["/app.js"],
      ["/docs"],
      ["/openapi.json"],
      ["/health/live"],
      ["/health/ready"],
      ["/metrics"],
      ["/nothing"],
      ["/%"],
      ["/account", { method: "GET" }],
      ["/v1/tts", { method: "OPTIONS" }],
      ["/v1/tts", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
      ["/v1/tts", { method: "POST", body: "<x/>", headers: { "content-type": "text/xml" } }],
    ];
    for (const [path, init] of requests) {
      const response = await fetch(server.url + path, init);
      assertSafe((name) => response.headers.get(name), `${path} (${response.status})`);
      await response.arrayBuffer();
    }
    const spoken = await server.post({ text: "a", format: "pcm" });
    assertSafe((name) => spoken.headers.get(name), "a stream");
    await spoken.arrayBuffer();
    const live = await connectLive(server.url);
    assertSafe((name) => live.headers[name]?.toString(), "the upgrade");
    await live.close();
    const refused = await refusedUpgrade(server.url, { authorization: "Bearer no" });
    assert.equal(refused.statusCode, 401);
    assertSafe((name) => refused.headers[name]?.toString(), "a refused upgrade");

    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.end("nonsense\r\n\r\n");
    const chunks: Buffer[] = [];
    socket.on("data", (data: Buffer) => chunks.push(data));
    await once(socket, "close");
    const text = Buffer.concat(chunks).toString();
    assert.match(text, /^HTTP\/1\.1 400 /);
    assertSafe((name) => new RegExp(`^${name}: (.*)\r$`, "m").exec(text)?.[1], "what is no HTTP");
  });

  it("let pages load files of this server only", async (context) => {
    const server = await start(context);
    const policyOf = async (path: string) => (await fetch(server.url + path)).headers.get("content-security-policy");
    assert.match((await policyOf("/")) ?? "", /script-src 'self';/);
    assert.match((await policyOf("/docs")) ?? "", /script-src 'none';/);
    for (const path of ["/", "/docs"]) assert.doesNotMatch((await policyOf(path)) ?? "", /unsafe-eval|https?:|\*/);
    assert.equal(await policyOf("/openapi.json"), "default-src 'none'; frame-ancestors 'none'");
  });

  it("require https only with a public https address", async (context) => {
    const of = async (publicUrl: string | undefined) => {
      const server = await start(context, { publicUrl });
      return (await fetch(`${server.url}/health/live`)).headers.get("strict-transport-security");
    };
    assert.equal(await of("https://voice.example.org"), "max-age=31536000");
    assert.equal(await of("http://voice.example.org"), null);
    assert.equal(await of(undefined), null);
  });
});

describe("pages of other origins", { timeout: 120_000 }, () => {
  const origin = "https://app.example.org";
  const preflight = (url: string, from = origin, path = "/v1/tts") =>
    fetch(url + path, {
      method: "OPTIONS",
      headers: {
        origin: from,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,model,traceparent",
      },
    });

  it("are refused unless they are configured", async (context) => {
    const server = await start(context);
    const response = await preflight(server.url);
    for (const name of response.headers.keys()) assert.doesNotMatch(name, /^access-control/);
    const spoken = await server.post({ text: "a", format: "pcm" }, { headers: { origin } });
    assert.equal(spoken.headers.get("access-control-allow-origin"), null);
    await spoken.arrayBuffer();
  });

  it("that are configured may use a key and read responses and errors", async (context) => {
    const server = await start(context, { corsOrigins: [origin, "http://localhost:5173"] });
    const allowed = await preflight(server.url);
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get("access-control-allow-origin"), origin);
    assert.match(allowed.headers.get("access-control-allow-methods") ?? "", /\bPOST\b.*\bPATCH\b.*\bDELETE\b/);
    assert.equal(allowed.headers.get("access-control-allow-headers"), "authorization,content-type,model,traceparent");
    assert.match(allowed.headers.get("vary") ?? "", /\borigin\b/);
    for (const body of [{ text: "a", format: "pcm" }, { text: "a", format: "none" }, "{"]) {
      const answer = await server.post(body, { headers: { origin } });
      assert.equal(answer.headers.get("access-control-allow-origin"), origin);
      const exposed = answer.headers.get("access-control-expose-headers") ?? "";
      for (const name of ["x-trace-id", "x-error-code", "ratelimit-remaining", "retry-after"]) {
        assert.ok(exposed.split(", ").includes(name), name);
      }
      await answer.arrayBuffer();
    }
    const lost = await fetch(`${server.url}/nothing`, { headers: { origin } });
    assert.equal(lost.status, 404);
    assert.equal(lost.headers.get("access-control-allow-origin"), origin);
    assert.equal(lost.headers.get("cross-origin-resource-policy"), "cross-origin");
  });

  it("that are not configured are refused, and caches keep them apart", async (context) => {
    const server = await start(context, { corsOrigins: [origin] });
    for (const other of ["https://evil.example", "null", `${origin}.evil.example`, "https://APP.example.org"]) {
      const response = await preflight(server.url, other);
      assert.equal(response.headers.get("access-control-allow-origin"), null, other);
      assert.equal(response.headers.get("access-control-allow-headers"), null, other);
    }
    const without = await fetch(`${server.url}/openapi.json`);
    assert.match(without.headers.get("vary") ?? "", /\borigin\b/);
    assert.equal(without.headers.get("access-control-allow-origin"), null);
  });

  it("never use a cookie, configured or not", async (context) => {
    for (const corsOrigins of [["*"], [origin]]) {
      const server = await start(context, { corsOrigins });
      for (const response of [
        await preflight(server.url),
        await preflight(server.url, origin, "/account"),
        await fetch(`${server.url}/account`, { headers: { origin, cookie: "parlance_session=x" } }),
      ]) {
        assert.equal(response.headers.get("access-control-allow-credentials"), null);
      }
      const changed = await fetch(`${server.url}/account`, {
        method: "PATCH",
        headers: { origin, cookie: `parlance_session=${"x".repeat(43)}`, "content-type": "application/json" },
        body: "{}",
      });
      assert.equal(changed.headers.get("x-error-code"), "cross_site", "being named does not make a page ours");
    }
  });

  it("are all allowed by a star, with the same headers for each", async (context) => {
    const server = await start(context, { corsOrigins: ["*"] });
    const response = await preflight(server.url, "https://anybody.example");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    const spoken = await server.post({ text: "a", format: "pcm" }, { headers: { origin: "null" } });
    assert.equal(spoken.status, 200);
    assert.equal(spoken.headers.get("access-control-allow-origin"), "*");
    await spoken.arrayBuffer();
  });

  it("cannot make the server repeat an invalid list of headers", async (context) => {
    const server = await start(context, { corsOrigins: ["*"] });
    for (const requested of ["a b", "x".repeat(101), `${"a,".repeat(60)}a`, "a;b", "<script>"]) {
      const response = await fetch(`${server.url}/v1/tts`, {
        method: "OPTIONS",
        headers: {
          origin,
          authorization: `Bearer ${TEST_KEY}`,
          "access-control-request-method": "POST",
          "access-control-request-headers": requested,
        },
      });
      assert.equal(response.headers.get("access-control-allow-headers"), null, requested);
    }
  });
});
