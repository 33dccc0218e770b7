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
import { until } from "../testing/until.ts";
import { createLog } from "./log.ts";
import { newSpanId, newTraceId } from "./trace.ts";
import { createTraceExport, type TraceExport } from "./trace-export.ts";

type Environment = Readonly<Record<string, string>>;

const SPOKEN = { text: "Good day.", format: "pcm", sample_rate: 16000 };

/** With a long time limit on close, so that every span arrives. */
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
  mode?: Parameters<typeof startCollector>[0],
): Promise<Traced> {
  const collector = await startCollector(mode);
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

describe("trace export", () => {
  it("sends the resource attributes and the configured headers", async (context) => {
    const { server, collector } = await traced(context, {
      OTEL_SERVICE_NAME: "voice",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=a%20test,service.name=not-this",
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=general,x-more=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-key=of%20traces",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    });
    const [span] = await collector.waitForSpans(await speak(server), ["edge", "admission"]);
    assert.equal(span?.resource["service.name"], "voice");
    assert.equal(span?.resource["service.version"], "1.2.3");
    assert.equal(span?.resource["deployment.environment"], "a test");
    assert.match(String(span?.resource["service.instance.id"]), /^[0-9a-f-]{36}$/);
    const [headers] = collector.headers;
    assert.equal(headers?.["x-key"], "of traces");
    assert.equal(headers?.["x-more"], "1");
    assert.equal(headers?.["content-encoding"], "gzip");
  });

  it("sends JSON when it is configured", async (context) => {
    const { server, collector } = await traced(context, { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
    const traceId = await speak(server);
    await until(() => collector.bodies.length > 0);
    assert.equal(collector.headers[0]?.["content-type"], "application/json");
    assert.ok(collector.bodies.some((body) => JSON.stringify(JSON.parse(body.toString())).includes(traceId)));
  });

  it("marks only faults of the service as errors", async (context) => {
    const { server, collector } = await traced(context);
    const refused = await server.post({ ...SPOKEN, format: "gramophone" });
    const refusal = (await collector.waitForSpans(refused.headers.get("x-trace-id") ?? "", ["edge"])).find(
      (span) => span.name === "edge",
    );
    assert.equal(refusal?.attributes["error.type"], "invalid_value");
    assert.equal(refusal?.attributes["http.response.status_code"], 400);
    assert.equal(refusal?.status, 0);
    // The tone engine has no encoder for this format.
    const failed = await server.post({ ...SPOKEN, format: "mp3", sample_rate: 44100 });
    assert.equal(failed.status, 500);
    const fault = (await collector.waitForSpans(failed.headers.get("x-trace-id") ?? "", ["edge"])).find(
      (span) => span.name === "edge",
    );
    assert.equal(fault?.attributes["error.type"], "internal");
    assert.equal(fault?.status, 2);
    const unauthenticated = await server.post(SPOKEN, { headers: { authorization: "Bearer nobody" } });
    const spans = await collector.waitForSpans(unauthenticated.headers.get("x-trace-id") ?? "", ["edge", "auth"]);
    assert.equal(spans.find((span) => span.name === "auth")?.status, 2);
  });

  it("follows the sampling decision of the client, or its own sampler", async (context) => {
    const traceId = newTraceId();
    for (const [sampler, sampled, unsampled, fresh] of [
      ["parentbased_always_on", true, false, true],
      ["parentbased_always_off", true, false, false],
      ["always_on", true, true, true],
      ["always_off", false, false, false],
    ] as const) {
      const sink = exportTo("http://127.0.0.1:9", { OTEL_TRACES_SAMPLER: sampler });
      context.after(() => sink.close());
      const parent = { traceId, parentId: newSpanId(), flags: 1, sampled: true, tracestate: undefined };
      assert.equal(sink.shouldSample(traceId, parent), sampled, sampler);
      assert.equal(sink.shouldSample(traceId, { ...parent, flags: 0, sampled: false }), unsampled, sampler);
      assert.equal(sink.shouldSample(traceId, undefined), fresh, sampler);
    }
    const half = exportTo("http://127.0.0.1:9", {
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.5",
    });
    context.after(() => half.close());
    const taken = Array.from({ length: 2000 }, newTraceId).filter((id) => half.shouldSample(id, undefined)).length;
    assert.ok(taken > 800 && taken < 1200, `${taken} of 2000`);
  });

  for (const mode of ["hang", "refuse", "down"] as const) {
    it(`does not affect requests when the collector is in mode ${mode}`, async (context) => {
      const collector = await startCollector(mode === "down" ? "accept" : mode);
      if (mode === "down") await collector.close();
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
      await until(() => log.length > 0);
      for (let count = 0; count < 5; count++) await speak(server);
      // Closes although the queued spans cannot be sent.
      await server.close();
      assert.equal(log.length, 1, "one line, however often it fails");
      assert.match(log[0] ?? "", /"trace-export\.failed"/);
      assert.deepEqual(
        server.log.filter((line) => (JSON.parse(line) as { readonly level: number }).level > 30),
        [],
      );
    });
  }

  it("drops spans that do not fit into its queue", async (context) => {
    const collector = await startCollector();
    context.after(() => collector.close());
    const sink = exportTo(collector.url, { OTEL_BSP_MAX_QUEUE_SIZE: "50", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10" });
    const traceId = newTraceId();
    const about = { traceId, tracestate: undefined, hasRemoteParent: false, isRoot: false };
    for (let count = 0; count < 10_000; count++) {
      const times = { parentId: undefined, from: 1, to: 2, error: undefined };
      sink.add({ spanId: newSpanId(), name: "many", attributes: {}, ...times }, about);
    }
    await sink.close();
    assert.ok(collector.spans.length >= 50 && collector.spans.length <= 60, `${collector.spans.length} came`);
  });

  it("sends queued spans when it is closed", async (context) => {
    const collector = await startCollector();
    context.after(() => collector.close());
    const traceExport = exportTo(collector.url, { OTEL_BSP_SCHEDULE_DELAY: "600000" });
    const server = await startTestServer({ parts: { traceExport } });
    const traceId = await speak(server);
    await server.close();
    assert.ok(collector.spans.some((span) => span.traceId === traceId && span.name === "edge"));
  });

  it("is enabled by the OTEL settings of a server", async (context) => {
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

  it("logs when the collector accepts spans again", async (context) => {
    const collector = await startCollector("break");
    context.after(() => collector.close());
    const log: string[] = [];
    const sink = exportTo(collector.url, { OTEL_EXPORTER_OTLP_TIMEOUT: "100" }, log);
    context.after(() => sink.close());
    const about = { traceId: newTraceId(), tracestate: undefined, hasRemoteParent: false, isRoot: false };
    const one = () =>
      sink.add(
        { spanId: newSpanId(), name: "a", attributes: {}, parentId: undefined, from: 1, to: 2, error: undefined },
        about,
      );
    one();
    await until(() => log.length > 0);
    collector.setMode("accept");
    // Several spans: on a busy machine some may be too late.
    await until(() => {
      one();
      return log.length > 1;
    });
    assert.match(log[1] ?? "", /"trace-export\.recovered"/);
  });
});
