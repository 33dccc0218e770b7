import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { LIVE_PATH, type UsageReport, usageReport } from "@parlance/protocol";
import { WebSocket } from "ws";
import { newId } from "../../lib/ids.ts";
import { connectLive } from "../../testing/live-client.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";

const today = () => new Date().toISOString().slice(0, 10);

function ask(server: TestServer, path: string, key = TEST_KEY, headers: Readonly<Record<string, string>> = {}) {
  return fetch(server.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
}

async function reportOf(server: TestServer, path: string, key?: string): Promise<UsageReport> {
  const response = await ask(server, path, key);
  assert.equal(response.status, 200);
  return usageReport.parse(await response.json());
}

/** A request is counted shortly after its client has the response. */
async function counted(server: TestServer, requests: number, path = "/account/usage"): Promise<UsageReport> {
  return until(async () => {
    const report = await reportOf(server, path);
    return report.total.requests >= requests && report;
  });
}

async function addMember(server: TestServer) {
  const id = newId();
  const at = new Date().toISOString();
  const member = {
    id,
    role: "member",
    plan: "free",
    nickname: "Bob",
    email: null,
    createdAt: at,
    updatedAt: at,
  } as const;
  await server.store.users.insert({ ...member, disabledAt: null });
  const { secret } = await server.keys.create(id, "bob's");
  return { id, secret };
}

describe("usage", () => {
  it("counts a stream, a round and a refusal the same way", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    await (await server.post({ text: "Grüße", format: "pcm", sample_rate: 16000 })).arrayBuffer();
    await (await server.post({ text: 5 })).arrayBuffer();
    const live = await connectLive(server.url);
    live.send({ event: "start", request: { format: "pcm", sample_rate: 16000 } }, { event: "text", text: "Good day." });
    live.send({ event: "stop" });
    await live.round();
    await live.close();
    const report = await counted(server, 3, "/account/usage?group_by=operation");
    const [spoken, written] = [...report.rows].sort((a, b) => ((a.operation ?? "") < (b.operation ?? "") ? 1 : -1));
    assert.equal(report.rows.length, 2);
    assert.equal(report.total.requests, 3);
    assert.deepEqual(
      [spoken?.operation, spoken?.requests, spoken?.characters, spoken?.audio_seconds, spoken?.errors_4xx],
      ["tts", 2, 5, 0.3, 1],
    );
    assert.deepEqual(
      [written?.operation, written?.requests, written?.characters, written?.audio_seconds, written?.errors_4xx],
      ["live", 1, 9, 0.1, 0],
    );
    for (const row of [spoken, written]) assert.ok((row?.first_audio_p50_ms ?? 0) >= 1);
  });

  it("counts a response that failed on the server as an error", async (context) => {
    const speech = createToneSpeech({
      before: (part) => {
        if (part === 1) throw new Error("the engine fell over");
      },
    });
    const server = await startTestServer({ speech });
    context.after(() => server.close());
    const response = await server.post({ text: "a", format: "pcm" });
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());
    const { total } = await counted(server, 1);
    assert.deepEqual([total.requests, total.errors_4xx, total.errors_5xx], [1, 0, 1]);
  });

  it("counts requests that the limits refuse, upgrades too, and none of unknown callers", async (context) => {
    const server = await startTestServer({ config: { requestsPerMinute: 1 } });
    context.after(() => server.close());
    await (await server.post({ text: "a", format: "pcm" })).arrayBuffer();
    await (await server.post({ text: "a", format: "pcm" })).arrayBuffer();
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    const socket = new WebSocket(server.url.replace(/^http/, "ws") + LIVE_PATH, { headers });
    socket.on("error", () => {});
    await once(socket, "unexpected-response");
    socket.terminate();
    await (await server.post({ text: "a" }, { headers: { authorization: "Bearer who-is-this-anyway" } })).arrayBuffer();
    const { rows } = await counted(server, 3, "/account/usage?group_by=operation");
    assert.deepEqual(
      rows.map((row) => [row.operation, row.requests, row.errors_4xx]),
      [
        ["live", 1, 1],
        ["tts", 2, 1],
      ],
    );
  });

  it("is written before the server is closed", async (context) => {
    const server = await startTestServer();
    const records: unknown[] = [];
    await (await server.post({ text: "a", format: "pcm" })).arrayBuffer();
    const { transaction } = server.store;
    context.mock.method(server.store, "transaction", (work: Parameters<typeof transaction>[0]) =>
      transaction(async (bound) => {
        const result = await work(bound);
        records.push(...(await bound.usage.page({ from: "2000-01-01", to: "9999-12-31", limit: 10 })));
        return result;
      }),
    );
    await server.close();
    assert.equal(records.length, 1);
  });
});

describe("reports of usage", () => {
  let server: TestServer;
  let member: Awaited<ReturnType<typeof addMember>>;
  /** A day may end while the requests are made, as anywhere below. */
  const days: string[] = [];
  before(async () => {
    days.push(today());
    server = await startTestServer();
    member = await addMember(server);
    const second = await server.keys.create(server.adminId, '=HYPERLINK("http://x")');
    for (const key of [TEST_KEY, second.secret, second.secret, member.secret]) {
      const authorization = `Bearer ${key}`;
      await (await server.post({ text: "abc", format: "pcm" }, { headers: { authorization } })).arrayBuffer();
    }
    await counted(server, 4, "/admin/usage");
    days.push(today());
  });
  after(() => server.close());

  it("show a member only the own usage", async () => {
    for (const query of ["", `?user_id=${server.adminId}`]) {
      const own = await reportOf(server, `/account/usage${query}`, member.secret);
      assert.equal(own.total.requests, 1);
      assert.equal(own.rows.length, 1);
      assert.ok(days.includes(own.rows[0]?.day ?? ""), `${own.rows[0]?.day}`);
    }
    assert.equal((await ask(server, "/admin/usage", member.secret)).status, 403);
    assert.equal((await ask(server, "/account/usage", "not-a-key")).status, 401);
    assert.equal((await ask(server, "/account/usage?group_by=user", member.secret)).status, 422);
  });

  it("show an admin the usage of all users or of one", async () => {
    const all = await reportOf(server, "/admin/usage");
    assert.equal(all.group_by, "user");
    assert.deepEqual(
      new Map(all.rows.map((row) => [row.user_id, row.requests])),
      new Map([
        [server.adminId, 3],
        [member.id, 1],
      ]),
    );
    const one = await reportOf(server, `/admin/usage?user_id=${member.id}&group_by=key`);
    assert.deepEqual(
      one.rows.map((row) => [row.key_name, row.requests]),
      [["bob's", 1]],
    );
    assert.equal((await ask(server, `/admin/usage?user_id=${"0".repeat(32)}`)).status, 404);
  });

  it("cover the requested days, or the last thirty", async () => {
    const asked = today();
    const usual = await reportOf(server, "/account/usage");
    assert.ok([asked, today()].includes(usual.to), usual.to);
    assert.equal((Date.parse(usual.to) - Date.parse(usual.from)) / 86_400_000, 29);
    const before = await reportOf(server, "/account/usage?from=2020-02-29&to=2020-03-01");
    assert.deepEqual([before.from, before.to, before.rows, before.total.requests], ["2020-02-29", "2020-03-01", [], 0]);
  });

  it("refuse invalid parameters", async () => {
    for (const [query, field, type] of [
      ["from=yesterday", "from", "date_format"],
      ["from=2026-02-30", "from", "date_format"],
      ["to=2026-1-1", "to", "date_format"],
      ["from=2026-05-02&to=2026-05-01", "to", "value_error"],
      ["from=0001-01-01", "from", "value_error"],
      ["from=2026-05-02&from=2026-05-03", "from", "string_type"],
      ["group_by=colour", "group_by", "value_error"],
      ["format=xml", "format", "value_error"],
      ["from=2026-05-01' or '1'='1", "from", "date_format"],
    ] as const) {
      const response = await ask(server, `/account/usage?${query}`);
      assert.equal(response.status, 422, query);
      const [issue] = (await response.json()) as { loc: string[]; type: string; in: string }[];
      assert.deepEqual([issue?.loc, issue?.type, issue?.in], [[field], type, "query"], query);
    }
  });

  it("are available as CSV, without formulas in names", async () => {
    const path = "/account/usage?group_by=key";
    const byHeader = await ask(server, path, TEST_KEY, { accept: "text/csv" });
    const byQuery = await ask(server, `${path}&format=csv`);
    for (const response of [byHeader, byQuery]) {
      assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
      assert.match(
        response.headers.get("content-disposition") ?? "",
        /^attachment; filename="parlance-usage-[\d-]+\.csv"$/,
      );
      const lines = (await response.text()).split("\r\n");
      assert.equal(lines.length, 4);
      assert.ok(lines.some((line) => line.includes(`,"'=HYPERLINK(""http://x"")",`)));
    }
    const browser = await ask(server, path, TEST_KEY, { accept: "text/html,application/json,text/csv" });
    assert.match(browser.headers.get("content-type") ?? "", /^application\/json/);
  });
});
