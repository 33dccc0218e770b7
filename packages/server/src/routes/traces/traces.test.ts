import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type TraceList, type TraceRecord, traceList, traceRecord } from "@parlance/protocol";
import { addMember } from "../../testing/member.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";

const SPOKEN = { text: "Good day.", format: "pcm", sample_rate: 16000 };

describe("traces of recent requests", () => {
  let server: TestServer;
  let member: string;
  before(async () => {
    server = await startTestServer({ speech: createToneSpeech(), config: { traces: 8 } });
    member = (await addMember(server)).headers.authorization?.slice("Bearer ".length) ?? "";
  });
  after(() => server.close());

  const ask = (path: string, key = TEST_KEY) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
  const list = async (path: string, key?: string): Promise<TraceList> => {
    const response = await ask(path, key);
    assert.equal(response.status, 200);
    return traceList.parse(await response.json());
  };
  const speak = async (key = TEST_KEY, body: object = SPOKEN): Promise<string> => {
    const response = await server.post(body, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    return response.headers.get("x-trace-id") ?? "";
  };
  /** A request is stored shortly after its client has the response. */
  const kept = async (traceId: string): Promise<TraceRecord> => {
    const probe = async () => {
      const response = await ask(`/admin/traces/${traceId}`);
      return response.status === 200 ? traceRecord.parse(await response.json()) : undefined;
    };
    return until(probe, { what: `the trace ${traceId} is kept` });
  };

  it("are listed for the account, newest first, with their outcome", async () => {
    const first = await speak();
    await kept(first);
    const second = await speak(TEST_KEY, { ...SPOKEN, format: "nothing" });
    await kept(second);
    const { items, kept: most } = await list("/account/traces");
    assert.equal(most, 8);
    assert.deepEqual(
      items.map(({ trace_id, route, operation, status, ok }) => ({ trace_id, route, operation, status, ok })),
      [
        { trace_id: second, route: "POST /v1/tts", operation: "tts", status: 400, ok: false },
        { trace_id: first, route: "POST /v1/tts", operation: "tts", status: 200, ok: true },
      ],
    );
    assert.equal(items[0]?.audio_seconds, null);
    assert.equal(items[1]?.audio_seconds, 0.3);
    assert.deepEqual(
      (await list("/account/traces?status=error")).items.map((item) => item.trace_id),
      [second],
    );
    assert.deepEqual((await list("/account/traces?operation=asr")).items, []);
    assert.deepEqual((await list("/account/traces?min_ms=60000")).items, []);
    assert.equal((await list("/account/traces?max_ms=60000&limit=1")).items.length, 1);
  });

  it("are shown to their account and to admins only", async () => {
    const own = await speak(member);
    const record = await kept(own);
    assert.equal(record.requests.length, 1);
    assert.deepEqual(
      (await list("/account/traces", member)).items.map((item) => item.trace_id),
      [own],
    );
    const admins = await speak();
    await kept(admins);
    const strange = await ask(`/account/traces/${admins}`, member);
    const missing = await ask(`/account/traces/${"a".repeat(32)}`, member);
    assert.equal(strange.status, 404);
    assert.equal(strange.headers.get("x-error-code"), "unknown_trace");
    assert.equal(await strange.text(), await missing.text());
    assert.equal((await ask(`/account/traces/${own}`)).status, 404, "not even an admin, as an account");
    assert.equal((await ask("/admin/traces", member)).status, 403);
    assert.equal((await ask(`/admin/traces/${own}`, member)).status, 403);
    assert.equal((await ask("/account/traces", "wrong-key")).status, 401);
    assert.ok((await list("/admin/traces")).items.some((item) => item.trace_id === own));
  });

  it("are shown in part where a trace has requests of several accounts", async () => {
    const traceparent = `00-${"b".repeat(32)}-${"c".repeat(16)}-01`;
    for (const key of [TEST_KEY, member, member]) {
      await (await server.post(SPOKEN, { headers: { authorization: `Bearer ${key}`, traceparent } })).arrayBuffer();
    }
    await until(async () => (await kept("b".repeat(32))).requests.length >= 3);
    const response = await ask(`/account/traces/${"b".repeat(32)}`, member);
    const { requests } = traceRecord.parse(await response.json());
    assert.equal(requests.length, 2);
    for (const request of requests) {
      assert.equal(request.spans[0]?.span_id, request.span_id);
      assert.equal(request.spans[0]?.parent_id, "c".repeat(16));
    }
  });

  it("are kept up to the configured number, and not for unknown callers", async () => {
    const first = await speak();
    await kept(first);
    for (let count = 0; count < 20; count++) await speak("no-such-key");
    assert.equal((await ask(`/account/traces/${first}`)).status, 200);
    let last = "";
    for (let count = 0; count < 9; count++) last = await speak();
    await kept(last);
    assert.equal((await list("/admin/traces?limit=100")).items.length, 8);
    assert.equal((await ask(`/account/traces/${first}`)).status, 404);
  });

  it("have errors that name the wrong parameter", async () => {
    for (const query of [
      "status=good",
      "operation=none",
      "min_ms=-1",
      "max_ms=x",
      "limit=0",
      "limit=101",
      "limit=1.5",
    ]) {
      const response = await ask(`/account/traces?${query}`);
      assert.equal(response.status, 422, query);
      const [error] = (await response.json()) as { readonly in: string; readonly loc: readonly string[] }[];
      assert.equal(error?.in, "query");
      assert.deepEqual(error?.loc, [query.split("=")[0]]);
    }
  });
});

it("are not kept when that is configured", async (context) => {
  const server = await startTestServer({ config: { traces: 0 } });
  context.after(() => server.close());
  await (await server.post(SPOKEN)).arrayBuffer();
  const response = await fetch(`${server.url}/account/traces`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
  assert.deepEqual(await response.json(), { items: [], kept: 0 });
});
