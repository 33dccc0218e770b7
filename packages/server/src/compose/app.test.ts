import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { createToneSpeech } from "../testing/tone-speech.ts";

describe("the HTTP app", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const get = (path: string, init?: RequestInit) => fetch(server.url + path, init);

  /** Sends the bytes as they are: fetch would normalize them. */
  async function raw(request: string): Promise<string> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(request);
    let answer = "";
    socket.on("data", (data) => {
      answer += data.toString();
    });
    await once(socket, "close");
    return answer;
  }

  it("answers an unknown route with 404 and two keys", async () => {
    for (const [method, path] of [
      ["GET", "/nothing?secret=1"],
      ["GET", "/v1/tts"],
      ["DELETE", "/v1/tts"],
      ["POST", "/health/live"],
    ] as const) {
      const response = await get(path, { method });
      assert.equal(response.status, 404);
      assert.equal(response.headers.get("x-error-code"), "not_found");
      assert.deepEqual(await response.json(), { status: 404, message: `Not found: ${method} ${path.split("?")[0]}` });
    }
  });

  it("sends a trace id and the security headers with every response", async () => {
    for (const path of ["/", "/nothing", "/health/live", "/openapi.json", "/docs", "/v1/tts"]) {
      const response = await get(path, { redirect: "manual" });
      assert.match(response.headers.get("x-trace-id") ?? "", /^[0-9a-f]{32}$/, path);
      assert.equal(response.headers.get("x-content-type-options"), "nosniff", path);
      assert.equal(response.headers.get("x-frame-options"), "DENY", path);
      await response.arrayBuffer();
    }
  });

  it("continues the trace of a valid traceparent", async () => {
    const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
    const response = await get("/health/live", { headers: { traceparent } });
    assert.equal(response.headers.get("x-trace-id"), "ab".repeat(16));
  });

  it("collapses repeated slashes in the path", async () => {
    const response = await server.post({ text: "a", format: "pcm" }, { path: "//v1///tts?x=//y" });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  });

  it("answers malformed HTTP with the same error body", async () => {
    const cases: readonly (readonly [string, number])[] = [
      ["nonsense\r\n\r\n", 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"y".repeat(40_000)}\r\n\r\n`, 431],
      ["GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404],
    ];
    for (const [request, status] of cases) {
      const answer = await raw(request);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(answer, /\r\nx-trace-id: [0-9a-f]{32}\r\n/);
      assert.match(answer, new RegExp(`\\{"status":${status},"message":"[^"]+"\\}$`));
    }
  });

  it("lists the methods of a route for OPTIONS, and answers HEAD like GET", async () => {
    const options = await get("/v1/tts", { method: "OPTIONS" });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get("allow"), "POST, OPTIONS");
    assert.equal((await get("/health/live", { method: "OPTIONS" })).headers.get("allow"), "GET, HEAD, OPTIONS");
    assert.equal((await get("/nothing", { method: "OPTIONS" })).status, 404);
    const head = await get("/openapi.json", { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
  });

  it("is live and ready", async () => {
    for (const path of ["/health/live", "/health/ready"]) {
      const response = await get(path);
      assert.equal(response.status, 200);
      assert.equal(((await response.json()) as { status: string }).status, "ok");
    }
  });

  it("redirects / to the documentation when the dashboard is not built", async () => {
    const response = await get("/", { redirect: "manual" });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("location"), "/docs");
  });
});

describe("readiness", () => {
  it("fails while no voice is installed, and so does synthesis", async (context) => {
    const server = await startTestServer({ speech: createToneSpeech({ voices: [] }) });
    context.after(() => server.close());
    const ready = await fetch(`${server.url}/health/ready`);
    const spoken = await server.post({ text: "a" });
    for (const response of [ready, spoken]) {
      assert.equal(response.status, 503);
      assert.equal(response.headers.get("x-error-code"), "not_ready");
      assert.equal(response.headers.get("retry-after"), "10");
    }
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
    const kokoro = await server.post({ text: "a" }, { headers: { model: "kokoro" } });
    assert.equal(kokoro.status, 400);
  });

  it("fails while the server drains", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    server.activeRequests.drain();
    for (const response of [await fetch(`${server.url}/health/ready`), await server.post({ text: "a" })]) {
      assert.equal(response.status, 503);
      assert.equal(response.headers.get("x-error-code"), "draining");
      assert.ok(response.headers.has("retry-after"));
    }
  });
});

describe("the dashboard's files", () => {
  it("are served with caching headers, and no other file is", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "parlance-dash-"));
    const dist = join(folder, "dist");
    await mkdir(join(dist, "assets"), { recursive: true });
    await writeFile(join(dist, "index.html"), "<title>hello</title>");
    await writeFile(join(dist, "assets", "app-1.js"), "1");
    await writeFile(join(folder, "secret.txt"), "secret");
    const server = await startTestServer({ parts: { dashboard: dist } });
    context.after(async () => {
      await server.close();
      await rm(folder, { recursive: true });
    });
    const page = await fetch(server.url);
    assert.equal(await page.text(), "<title>hello</title>");
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.equal(await (await fetch(`${server.url}/sign-in`)).text(), "<title>hello</title>", "links lead there, too");
    const script = await fetch(`${server.url}/assets/app-1.js`);
    assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
    assert.match(script.headers.get("cache-control") ?? "", /immutable/);
    const etag = script.headers.get("etag") ?? "";
    assert.equal((await fetch(`${server.url}/assets/app-1.js`, { headers: { "if-none-match": etag } })).status, 304);
    for (const path of ["/secret.txt", "/assets/..%2f..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets/", "/assets"]) {
      assert.equal((await fetch(server.url + path)).status, 404, path);
    }
  });
});
