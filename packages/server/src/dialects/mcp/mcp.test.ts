import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { LIMITS } from "@parlance/protocol";
import fc from "fast-check";
import fastify from "fastify";
import { createActiveRequests } from "../../http/active-requests.ts";
import { fuzzRuns } from "../../testing/fuzz-runs.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import { burstSamples, wavFile } from "../../testing/wav-file.ts";
import { loadMcp, mcpRoutes } from "./mcp.ts";

describe("POST /mcp", () => {
  let server: TestServer;
  const speech = createToneSpeech();
  before(async () => {
    server = await startTestServer({ speech });
  });
  after(() => server.close());
  const connect = async (key = TEST_KEY, to = server): Promise<Client> => {
    const client = new Client({ name: "test", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${to.url}/mcp`), { requestInit }));
    return client;
  };

  it("has three tools for the client of the official SDK", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
      [
        ["speak", ["text", "voice", "format", "speed"]],
        ["transcribe", ["audio", "language", "speakers"]],
        ["list_voices", ["language", "title"]],
      ],
    );
    await client.close();
  });

  it("speaks, transcribes and lists voices with the account of the key", async () => {
    const client = await connect();
    const args = { text: "Good morning.", voice: "tone-two", format: "wav", speed: 1.5 };
    const spoken = await client.callTool({ name: "speak", arguments: args });
    const [audio] = spoken.content;
    assert.ok(audio?.type === "audio" && audio.mimeType === "audio/wav");
    assert.equal(Buffer.from(audio.data, "base64").length, 44 + 3 * 3200);
    assert.deepEqual([speech.jobs.at(-1)?.request.speed, speech.jobs.at(-1)?.request.text], [1.5, "Good morning."]);

    const recording = Buffer.from(wavFile(burstSamples(2, [{ start: 0.5, end: 1, level: 40 }]), 16_000));
    const transcript = await client.callTool({
      name: "transcribe",
      arguments: { audio: recording.toString("base64"), language: "fr" },
    });
    assert.deepEqual(transcript.content, [{ type: "text", text: "40" }]);

    const listed = await client.callTool({ name: "list_voices", arguments: { title: "two" } });
    const [text] = listed.content;
    assert.ok(text?.type === "text");
    assert.deepEqual(
      JSON.parse(text.text).map((voice: { readonly title: string }) => voice.title),
      ["tone-two"],
    );
    await client.close();
    const routes = server.log.map((line) => JSON.parse(line)).map(({ route, status }) => `${route} ${status}`);
    for (const route of ["/v1/tts 200", "/v1/asr 200", "/mcp 200"]) assert.ok(routes.includes(route), route);
    const own = server.log.map((line) => JSON.parse(line)).filter(({ route }) => route === "/mcp");
    assert.ok(own.every(({ dialect }) => dialect === "mcp"));
  });

  it("shows the errors of the API to the model, as results of the tool", async () => {
    const client = await connect();
    const speak = (args: object) => client.callTool({ name: "speak", arguments: { ...args } });
    for (const [args, message] of [
      [{ text: "x", voice: "nobody" }, /nobody/],
      [{ text: "x".repeat(30_001), format: "wav" }, /at most 30000/],
      [{ text: 5 }, /text/],
    ] as const) {
      const result = await speak(args);
      assert.equal(result.isError, true);
      const [content] = result.content;
      assert.ok(content?.type === "text");
      assert.match(content.text, message);
    }
    await client.close();
  });

  it("stops speech whose audio is too large for a result", async (context) => {
    const long = createToneSpeech({ parts: 1_000_000, samplesPerPart: 100_000 });
    const loud = await startTestServer({ speech: long });
    context.after(() => loud.close());
    const client = await connect(TEST_KEY, loud);
    const { content, isError } = await client.callTool({ name: "speak", arguments: { text: "Much.", format: "wav" } });
    const [text] = content;
    assert.ok(isError === true && text?.type === "text");
    assert.match(text.text, /over 32 MiB: choose the format mp3/);
    await until(() => long.jobs.every((job) => job.ended) && loud.activeRequests.size === 0);
    await client.close();
  });

  it("needs a key, and takes no session and no body over the limit", async () => {
    await assert.rejects(connect("wrong"));
    const send = async (headers: Record<string, string>, body: string) => {
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
      return (await fetch(`${server.url}/mcp`, init)).status;
    };
    assert.equal(await send({ cookie: "parlance_session=x" }, "{}"), 401);
    const key = { authorization: `Bearer ${TEST_KEY}` };
    assert.equal(await send(key, JSON.stringify({ a: "x".repeat(LIMITS.ttsBodyBytes) })), 413);
    assert.equal((await fetch(`${server.url}/mcp`, { headers: key })).status, 405);
  });

  it("stops the work of a client that disconnects", async (context) => {
    const held = createToneSpeech({
      before: (_part, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
    });
    const slow = await startTestServer({ speech: held });
    context.after(() => slow.close());
    const abort = new AbortController();
    const params = { name: "speak", arguments: { text: "Held.", format: "wav" } };
    const call = fetch(`${slow.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TEST_KEY}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      signal: abort.signal,
    });
    call.catch(() => {});
    await until(() => held.jobs.length === 1);
    abort.abort();
    await until(() => held.jobs.every((job) => job.ended) && slow.activeRequests.size === 0);
  });

  it("starts no work for a client that disconnects while the code is being loaded", async (context) => {
    const [sdk, ...others] = await loadMcp();
    let handlers = 0;
    const counted: typeof sdk.createMcpHandler = (...options) => {
      handlers += 1;
      return sdk.createMcpHandler(...options);
    };
    let loaded: (() => void) | undefined;
    const load = async (): ReturnType<typeof loadMcp> => {
      await new Promise<void>((resolve) => {
        loaded = resolve;
      });
      return [{ ...sdk, createMcpHandler: counted }, ...others];
    };
    const app = fastify({ forceCloseConnections: true });
    context.after(() => app.close());
    app.decorateRequest("facts");
    app.addHook("onRequest", async (request) => void Object.assign(request, { facts: {} }));
    const activeRequests = createActiveRequests();
    const identify = async () => ({ userId: "a", keyId: "b", role: "member", plan: "free" }) as const;
    mcpRoutes(app, { identify, version: "1.0.0", activeRequests, load });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const abort = new AbortController();
    const headers = { authorization: "Bearer x", "content-type": "application/json" };
    const call = fetch(`${url}/mcp`, { method: "POST", headers, body: "{}", signal: abort.signal });
    call.catch(() => {});
    await until(() => loaded !== undefined);
    abort.abort();
    await until(() => activeRequests.size === 0);
    loaded?.();
    await new Promise(setImmediate);
    assert.equal(handlers, 0);
  });

  it("answers any JSON and never fails because of it", async () => {
    const method = fc.constantFrom("initialize", "tools/list", "tools/call", "ping", "subscriptions/listen", "x");
    const body = fc.oneof(
      fc.record({ jsonrpc: fc.constant("2.0"), id: fc.nat(), method, params: fc.jsonValue() }).map((each) => [each]),
      fc.record({ jsonrpc: fc.constant("2.0"), id: fc.nat(), method, params: fc.jsonValue() }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const response = await server.post(value, {
          path: "/mcp",
          headers: { accept: "application/json, text/event-stream" },
        });
        const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
        if (isStream) await response.body?.cancel();
        else await response.text();
        assert.ok(response.status < 500, `${response.status} for ${JSON.stringify(value)}`);
      }),
      { numRuns: fuzzRuns(50) },
    );
  });
});
