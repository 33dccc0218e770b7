import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { startServer } from "../compose/server.ts";
import { readConfig } from "../config/config.ts";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { connectLive } from "../testing/live-client.ts";
import { type Collector, startCollector } from "../testing/otlp-collector.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../testing/test-server.ts";
import { createToneSpeech } from "../testing/tone-speech.ts";
import { createLog } from "./log.ts";
import { newSpanId, newTraceId } from "./trace.ts";
import { createTraceExport, type TraceExport } from "./trace-export.ts";

type Environment = Readonly<Record<string, string>>;

const SPOKEN = { text: "Good day.", format: "pcm", sample_rate: 16000 };

/** It waits for long at its end, so that everything comes; unless nothing can. */
function exportTo(url: string, env: Environment, log: string[] = [], closeMs = 60_000): TraceExport {
  const { otlp } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_BSP_SCHEDULE_DELAY: "20",
    ...env,
  }).config;
  assert.ok(otlp);
  return createTraceExport(otlp, {
    version: "1.2.3",
    log: createLog("info", { write: (line) => log.push(line) }),
    closeMs,
  });
}

interface Traced {
  readonly server: TestServer;
  readonly collector: Collector;
}

async function traced(
  context: TestContext,
  env: Environment = {},
  manner?: Parameters<typeof startCollector>[0],
): Promise<Traced> {
  const collector = await startCollector(manner);
  const server = await startTestServer({ parts: { traceExport: exportTo(collector.url, env) } });
  context.after(async () => {
    await server.close();
    await collector.close();
  });
  return { server, collector };
}

async function speak(server: TestServer, traceparent?: string): Promise<string> {
  const response = await server.post(SPOKEN, { headers: { traceparent } });
  assert.equal((await response.arrayBuffer()).byteLength, 9600);
  return response.headers.get("x-trace-id") ?? "";
}

describe("the export of traces", () => {
  it("says who sends them, with the headers that were asked for", async (context) => {
    const { server, collector } = await traced(context, {
      OTEL_SERVICE_NAME: "voice",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=a%20test,service.name=not-this",
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=general,x-more=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-key=of%20traces",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    });
    const [span] = await collector.seen(await speak(server), ["edge", "admission"]);
    assert.equal(span?.resource["service.name"], "voice");
    assert.equal(span?.resource["service.version"], "1.2.3");
    assert.equal(span?.resource["deployment.environment"], "a test");
    assert.match(String(span?.resource["service.instance.id"]), /^[0-9a-f-]{36}$/);
    const [headers] = collector.headers;
    assert.equal(headers?.["x-key"], "of traces");
    assert.equal(headers?.["x-more"], "1");
    assert.equal(headers?.["content-encoding"], "gzip");
  });

  it("speaks JSON when it is told to", async (context) => {
    const { server, collector } = await traced(context, { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
    const traceId = await speak(server);
    while (collector.bodies.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(collector.headers[0]?.["content-type"], "application/json");
    assert.ok(collector.bodies.some((body) => JSON.stringify(JSON.parse(body.toString())).includes(traceId)));
  });

  it("tells a refusal and a fault by their codes, and only the fault is an error", async (context) => {
    const { server, collector } = await traced(context);
    const refused = await server.post({ ...SPOKEN, format: "gramophone" });
    const refusal = (await collector.seen(refused.headers.get("x-trace-id") ?? "", ["edge"])).find(
      (span) => span.name === "edge",
    );
    assert.equal(refusal?.attributes["error.type"], "invalid_value");
    assert.equal(refusal?.attributes["http.response.status_code"], 400);
    assert.equal(refusal?.status, 0);
    // The tone has no encoder for it.
    const failed = await server.post({ ...SPOKEN, format: "mp3", sample_rate: 44100 });
    assert.equal(failed.status, 500);
    const fault = (await collector.seen(failed.headers.get("x-trace-id") ?? "", ["edge"])).find(
      (span) => span.name === "edge",
    );
    assert.equal(fault?.attributes["error.type"], "internal");
    assert.equal(fault?.status, 2);
    const nobody = await server.post(SPOKEN, { headers: { authorization: "Bearer nobody" } });
    const spans = await collector.seen(nobody.headers.get("x-trace-id") ?? "", ["edge", "auth"]);
    assert.equal(spans.find((span) => span.name === "auth")?.status, 2);
  });

  it("follows the caller's choice, or that of its sampler where there is none", async (context) => {
    const traceId = newTraceId();
    for (const [sampler, wanted, unwanted, fresh] of [
      ["parentbased_always_on", true, false, true],
      ["parentbased_always_off", true, false, false],
      ["always_on", true, true, true],
      ["always_off", false, false, false],
    ] as const) {
      const sink = exportTo("http://127.0.0.1:9", { OTEL_TRACES_SAMPLER: sampler });
      context.after(() => sink.close());
      const parent = { traceId, parentId: newSpanId(), flags: 1, sampled: true, tracestate: undefined };
      assert.equal(sink.samples(traceId, parent), wanted, sampler);
      assert.equal(sink.samples(traceId, { ...parent, flags: 0, sampled: false }), unwanted, sampler);
      assert.equal(sink.samples(traceId, undefined), fresh, sampler);
    }
    const half = exportTo("http://127.0.0.1:9", {
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.5",
    });
    context.after(() => half.close());
    const taken = Array.from({ length: 2000 }, newTraceId).filter((id) => half.samples(id, undefined)).length;
    assert.ok(taken > 800 && taken < 1200, `${taken} of 2000`);
  });

  for (const manner of ["hang", "refuse", "down"] as const) {
    it(`has no effect on requests when the collector does ${manner}`, async (context) => {
      const collector = await startCollector(manner === "down" ? "take" : manner);
      if (manner === "down") await collector.close();
      else context.after(() => collector.close());
      const log: string[] = [];
      const env = { OTEL_EXPORTER_OTLP_TIMEOUT: "200", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "4" };
      const traceExport = exportTo(collector.url, env, log, 500);
      const server = await startTestServer({ parts: { traceExport } });
      for (let count = 0; count < 20; count++) await speak(server);
      const live = await connectLive(server.url);
      live.send({ event: "start", request: { format: "pcm" } }, { event: "text", text: "Hello." }, { event: "stop" });
      assert.equal((await live.round()).finish.reason, "stop");
      await live.close();
      while (log.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      for (let count = 0; count < 5; count++) await speak(server);
      // It ends although what waits cannot be sent.
      await server.close();
      assert.equal(log.length, 1, "one line, however often it fails");
      assert.match(log[0] ?? "", /traces cannot be exported/);
      assert.deepEqual(
        server.log.filter((line) => (JSON.parse(line) as { readonly level: number }).level > 30),
        [],
      );
    });
  }

  it("forgets what does not fit into its queue", async (context) => {
    const collector = await startCollector();
    context.after(() => collector.close());
    const sink = exportTo(collector.url, { OTEL_BSP_MAX_QUEUE_SIZE: "50", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10" });
    const traceId = newTraceId();
    const about = { traceId, tracestate: undefined, hasRemoteParent: false, isOutermost: false };
    for (let count = 0; count < 10_000; count++) {
      const times = { parentId: undefined, from: 1, to: 2, error: undefined };
      sink.take({ spanId: newSpanId(), name: "many", attributes: {}, ...times }, about);
    }
    await sink.close();
    assert.ok(collector.spans.length >= 50 && collector.spans.length <= 60, `${collector.spans.length} came`);
  });

  it("sends what waits when it is closed", async (context) => {
    const collector = await startCollector();
    context.after(() => collector.close());
    const traceExport = exportTo(collector.url, { OTEL_BSP_SCHEDULE_DELAY: "600000" });
    const server = await startTestServer({ parts: { traceExport } });
    const traceId = await speak(server);
    await server.close();
    assert.ok(collector.spans.some((span) => span.traceId === traceId && span.name === "edge"));
  });

  it("is what a server does that was told where to", async (context) => {
    const collector = await startCollector();
    const data = await mkdtemp(join(tmpdir(), "parlance-test-"));
    context.after(async () => {
      await collector.close();
      await rm(data, { recursive: true });
    });
    const { config } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const server = await startServer({
      config: { ...config, data, port: 0, adminKey: TEST_KEY },
      speech: createToneSpeech(),
      transcription: createBurstTranscription(),
      log: createLog("silent"),
    });
    const headers = { authorization: `Bearer ${TEST_KEY}`, model: "s2-pro", "content-type": "application/json" };
    const response = await fetch(`${server.url}/v1/tts`, { method: "POST", headers, body: JSON.stringify(SPOKEN) });
    await response.arrayBuffer();
    await server.close();
    const traceId = response.headers.get("x-trace-id");
    assert.ok(collector.spans.some((span) => span.name === "edge" && span.traceId === traceId));
    assert.ok(
      collector.spans.every((span) => span.attributes["http.route"] !== "/health/ready"),
      "only inference is traced",
    );
  });

  it("says when it is taken again", async (context) => {
    const collector = await startCollector("break");
    context.after(() => collector.close());
    const log: string[] = [];
    const sink = exportTo(collector.url, { OTEL_EXPORTER_OTLP_TIMEOUT: "100" }, log);
    context.after(() => sink.close());
    const about = { traceId: newTraceId(), tracestate: undefined, hasRemoteParent: false, isOutermost: false };
    const one = () =>
      sink.take(
        { spanId: newSpanId(), name: "a", attributes: {}, parentId: undefined, from: 1, to: 2, error: undefined },
        about,
      );
    one();
    while (log.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    collector.behave("take");
    // More than one: on a busy machine, some may come too late.
    while (log.length === 1) {
      one();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.match(log[1] ?? "", /exported again/);
  });
});
