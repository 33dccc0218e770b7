import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { startServer } from "../compose/server.ts";
import { readConfig } from "../config/config.ts";
import { createEngineEvents } from "../telemetry/engine-events.ts";
import { createLog } from "../telemetry/log.ts";
import { signedIn } from "../testing/account-client.ts";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { connectLive } from "../testing/live-client.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../testing/test-server.ts";
import { createToneSpeech } from "../testing/tone-speech.ts";
import { until } from "../testing/until.ts";
import { burstSamples, wavFile } from "../testing/wav-file.ts";

const read = (url: string, key?: string) =>
  fetch(`${url}/metrics`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });

async function metricsOf({ url }: Pick<TestServer, "url">): Promise<ReadonlyMap<string, number>> {
  const response = await read(url, TEST_KEY);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

async function start(context: TestContext, options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  context.after(() => server.close());
  return server;
}

describe("GET /metrics", { timeout: 120_000 }, () => {
  it("counts requests, errors by code, first audio, characters and credits", async (context) => {
    const server = await start(context);
    await (await server.post({ text: "hello", format: "pcm" })).arrayBuffer();
    await (await server.post({ text: "x" }, { headers: { authorization: "Bearer no" } })).arrayBuffer();
    await (await server.post({ text: "x", format: "nonsense" })).arrayBuffer();
    const live = await connectLive(server.url);
    live.send({ event: "start", request: { text: "", format: "pcm" } }, { event: "text", text: "Hi. " });
    live.send({ event: "stop" });
    await live.round();
    const form = new FormData();
    form.set("audio", new Blob([wavFile(burstSamples(1.5, [{ start: 0.5, end: 1, level: 50 }]), 16_000)]), "a.wav");
    const transcribed = await fetch(`${server.url}/v1/asr`, {
      method: "POST",
      headers: { authorization: `Bearer ${TEST_KEY}` },
      body: form,
    });
    assert.equal(transcribed.status, 200, await transcribed.text());
    // Requests are counted when they end.
    await until(() => server.log.filter((line) => line.includes('"request.finished"')).length >= 5);
    const all = await metricsOf(server);
    assert.equal(all.get('parlance_requests_total{operation="tts",dialect="fish",status="200"}'), 1);
    assert.equal(all.get('parlance_requests_total{operation="tts",dialect="fish",status="401"}'), 1);
    assert.equal(all.get('parlance_errors_total{operation="tts",dialect="fish",code="invalid_api_key"}'), 1);
    assert.equal(all.get('parlance_requests_total{operation="live",dialect="fish",status="200"}'), 1);
    assert.equal(all.get('parlance_requests_total{operation="asr",dialect="fish",status="200"}'), 1);
    assert.equal(all.get('parlance_time_to_first_audio_seconds_count{operation="tts",dialect="fish"}'), 1);
    assert.equal(all.get('parlance_time_to_first_audio_seconds_count{operation="live",dialect="fish"}'), 1);
    assert.equal(all.get('parlance_text_characters_total{operation="tts"}'), 5);
    assert.equal(all.get('parlance_credits_charged_total{operation="tts"}'), 5);
    assert.ok((all.get('parlance_credits_charged_total{operation="asr"}') ?? 0) > 0);
    assert.equal(all.get("parlance_transcription_audio_seconds_total"), 1.5);
    assert.equal(all.get("parlance_transcription_real_time_factor_count"), 1);
    assert.equal(all.get("parlance_live_sockets"), 1);
    assert.equal(all.get("parlance_ready"), 1);
    assert.ok((all.get("parlance_resident_memory_bytes") ?? 0) > 1e6);
    assert.ok(all.has('parlance_event_loop_delay_seconds{stat="p99"}'));
    await live.close();
  });

  it("reports the work of engines and lost workers", async (context) => {
    const events = createEngineEvents();
    const pid = process.pid;
    const speech = {
      ...createToneSpeech(),
      workers: () => [{ engine: "piper", pid } as const],
      queued: () => [{ engine: "piper", chunks: 7 } as const],
    };
    const server = await start(context, { speech, parts: { events } });
    events.chunk({ engine: "piper", queueMs: 30, busyMs: 500, audioSeconds: 2, outcome: "done" });
    events.chunk({ engine: "piper", queueMs: 30, busyMs: 500, audioSeconds: 0, outcome: "left" });
    events.workerLost("piper");
    const all = await metricsOf(server);
    assert.equal(all.get('parlance_synthesis_real_time_factor_sum{engine="piper"}'), 0.25);
    assert.equal(all.get('parlance_synthesis_real_time_factor_count{engine="piper"}'), 1);
    assert.equal(all.get('parlance_synthesis_chunks_total{engine="piper",outcome="left"}'), 1);
    assert.equal(all.get('parlance_queue_wait_seconds_count{engine="piper"}'), 2);
    assert.equal(all.get('parlance_queue_depth{engine="piper"}'), 7);
    assert.equal(all.get('parlance_workers{engine="piper"}'), 1);
    assert.equal(all.get('parlance_worker_restarts_total{engine="piper"}'), 1);
    assert.equal(all.get('parlance_worker_restarts_total{engine="kokoro"}'), 0);
    if (process.platform === "linux") {
      assert.ok((all.get('parlance_workers_resident_memory_bytes{engine="piper"}') ?? 0) > 1e6);
    }
  });

  it("has fixed labels only, whatever clients send", async (context) => {
    const server = await start(context);
    for (let i = 0; i < 20; i++) {
      await (await fetch(`${server.url}/voice-${i}`)).arrayBuffer();
      await (
        await server.post({ text: "x", reference_id: `voice-${i}` }, { headers: { model: `m${i}` } })
      ).arrayBuffer();
    }
    const text = await (await read(server.url, TEST_KEY)).text();
    assert.doesNotMatch(text, /voice-\d|m1\d/);
    assert.ok(!text.includes(server.adminId));
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
    const ours = [
      "operation",
      "dialect",
      "status",
      "code",
      "engine",
      "outcome",
      "le",
      "stat",
      "check",
      "version",
      "node",
    ];
    assert.deepEqual(
      [...labels].filter((label) => !ours.includes(label ?? "")),
      [],
    );
  });

  it("is separate for each app", async (context) => {
    const [one, other] = [await start(context), await start(context)];
    await (await one.post({ text: "hello", format: "pcm" })).arrayBuffer();
    await until(() => one.log.some((line) => line.includes('"request.finished"')));
    assert.equal(
      (await metricsOf(other)).get('parlance_requests_total{operation="tts",dialect="fish",status="200"}'),
      undefined,
    );
  });
});

describe("access to metrics", { timeout: 120_000 }, () => {
  it("is for admins, by key or session", async (context) => {
    const server = await start(context);
    assert.equal((await read(server.url)).status, 401);
    assert.equal((await read(server.url, "wrong-key-0123456789")).status, 401);
    assert.equal((await read(server.url, TEST_KEY)).status, 200);
    const member = await signedIn(server);
    const admin = await signedIn(server, "root@example.org", "admin");
    const by = (cookie: string) => fetch(`${server.url}/metrics`, { headers: { cookie } });
    assert.equal((await by(member.cookie)).status, 403);
    assert.equal((await by(admin.cookie)).status, 200);
  });

  it("is granted by the metrics key, which opens nothing else", async (context) => {
    const key = "only-for-prometheus-123";
    const server = await start(context, { config: { metricsKey: key } });
    assert.equal((await read(server.url, key)).status, 200);
    assert.equal((await read(server.url, TEST_KEY)).status, 200);
    for (const wrong of [`${key}4`, key.slice(1), key.toUpperCase()]) {
      assert.equal((await read(server.url, wrong)).status, 401);
    }
    const spoken = await server.post({ text: "x" }, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(spoken.status, 401);
  });

  it("needs no key on a separate port unless one is set", async (context) => {
    const data = await temporaryFolder(context);
    const parts = { speech: createToneSpeech(), transcription: createBurstTranscription(), log: createLog("silent") };
    const config = { ...readConfig({}).config, data, port: 0, metricsPort: 0 };
    const open = await startServer({ ...parts, config });
    context.after(() => open.close());
    const key = "only-for-prometheus-123";
    const closed = await startServer({ ...parts, config: { ...config, metricsKey: key } });
    context.after(() => closed.close());
    const url = `http://127.0.0.1:${open.metricsPort}`;
    const response = await read(url);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /^parlance_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m);
    assert.equal((await fetch(`${url}/health/live`)).status, 404, "nothing else is there");
    assert.equal((await fetch(`${url}/metrics`, { method: "POST" })).status, 404);
    assert.equal((await read(open.url, open.bootstrap.freshKey)).status, 404, "and not on the main port");
    const other = `http://127.0.0.1:${closed.metricsPort}`;
    assert.equal((await read(other)).status, 401);
    assert.equal((await read(other, "wrong")).status, 401);
    assert.equal((await read(other, key)).status, 200);
    await open.close();
    await assert.rejects(read(url));
    const taken = { ...config, metricsPort: closed.metricsPort };
    await assert.rejects(
      startServer({ ...parts, config: taken }),
      /^Error: PARLANCE_METRICS_PORT: cannot listen on port/,
    );
  });
});

describe("the Grafana dashboard", () => {
  const path = new URL("../../../../deploy/grafana/parlance.json", import.meta.url);
  const dashboard = JSON.parse(readFileSync(path, "utf8"));

  it("uses existing metrics only", async (context) => {
    const server = await start(context);
    const text = await (await read(server.url, TEST_KEY)).text();
    const names = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    const used = [...JSON.stringify(dashboard).matchAll(/parlance_\w+/g)].map(([name]) => name);
    assert.ok(new Set(used).size > 15);
    assert.deepEqual(
      used.filter((name) => !names.has(name)),
      [],
    );
  });

  it("can be imported with any data source", () => {
    assert.ok(dashboard.schemaVersion >= 36);
    const [source] = dashboard.templating.list;
    assert.deepEqual([source.name, source.type, source.query], ["datasource", "datasource", "prometheus"]);
    const ids = dashboard.panels.map(({ id }: { id: number }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const panel of dashboard.panels) {
      if (panel.type !== "row") assert.match(panel.datasource.uid, /^\$\{datasource\}$/, panel.title);
    }
  });
});
