import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { LIVE_PATH, LIVE_TIMESTAMPS_PATH, type TraceRecord, traceRecord } from "@parlance/protocol";
import { createSpeech, createTranscription, type Speech, type Transcription } from "@parlance/speech";
import { readConfig } from "../packages/server/src/config/config.ts";
import { createLog } from "../packages/server/src/telemetry/log.ts";
import { createTraceExport } from "../packages/server/src/telemetry/trace-export.ts";
import { connectLive } from "../packages/server/src/testing/live-client.ts";
import { addMember, type Member } from "../packages/server/src/testing/member.ts";
import { type Collector, startCollector } from "../packages/server/src/testing/otlp-collector.ts";
import type { ReceivedSpan } from "../packages/server/src/testing/otlp-decode.ts";
import { startTestServer, type TestServer } from "../packages/server/src/testing/test-server.ts";
import { wavFile } from "../packages/server/src/testing/wav-file.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { until } from "./support/until.ts";

/** Long enough for two chunks, with words that occur nowhere else. */
const TEXT =
  "The harbourmaster counted seventeen zebras on the quay, and nobody asked him why. Later that evening the last of the boats came in, and the wind turned to the north.";
const FRAGMENTS = ["harbourmaster", "zebras", "quay", "fellow", "Americans", "secret-name"];
const CALLER = "b7ad6b7169203331";
const SPOKEN = { text: TEXT, format: "mp3", seed: 11 };
/** The spans of every synthesis request. */
const SPEAKING = ["edge", "admission", "auth", "limits", "credit", "text", "inference", "alignment", "encode"];

let traces = 0;
const newTrace = (): string => (++traces).toString(16).padStart(32, "5eed");
const parentOf = (traceId: string, flags = "01"): Readonly<Record<string, string>> => ({
  traceparent: `00-${traceId}-${CALLER}-${flags}`,
});

describe("traces of the real engines", () => {
  let speech: Speech;
  let transcription: Transcription;
  let collector: Collector;
  let server: TestServer;
  let untraced: TestServer;
  let member: Member;
  let recording: Buffer<ArrayBuffer>;

  before(async () => {
    const models = await testModels("kokoro-q8", "silero-vad", "moonshine-base", "whisper-base", "test-speech");
    // The first words, with those that must not be exported.
    const speechBytes = 5 * 16_000 * 2;
    const { buffer } = new Uint8Array(await readFile(models.path("test-speech", "jfk.wav")))
      .subarray(44)
      .slice(0, speechBytes);
    recording = Buffer.from(wavFile(new Int16Array(buffer), 16_000));
    speech = await createSpeech({ models, engines: ["kokoro"], workers: 1, keepAhead: false });
    transcription = await createTranscription({ models });
    collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "50" };
    const { otlp } = readConfig(env).config;
    assert.ok(otlp);
    const traceExport = createTraceExport(otlp, { version: "1", log: createLog("silent") });
    server = await startTestServer({ speech, transcription, parts: { traceExport, healthChecks: "off" } });
    untraced = await startTestServer({ speech, transcription, config: { traces: 0 }, parts: { healthChecks: "off" } });
    member = await addMember(server, "pro");
  });
  after(async () => {
    await server.close();
    await untraced.close();
    await Promise.all([speech.close(), transcription.close()]);
    await collector.close();
  });

  const speak = async (path: string, headers: Readonly<Record<string, string>>, body: object = SPOKEN) => {
    const response = await server.post(body, { path, headers: { ...member.headers, ...headers } });
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200, bytes.toString());
    return { response, bytes };
  };
  const transcribe = async (to: TestServer, headers: Readonly<Record<string, string>>) => {
    const form = new FormData();
    form.set("audio", new File([recording], "secret-name.wav"));
    form.set("language", "en");
    const response = await fetch(`${to.url}/v1/asr`, { method: "POST", headers, body: form });
    assert.equal(response.status, 200);
    return { response, transcript: (await response.json()) as { readonly text: string; readonly duration: number } };
  };
  const kept = async (traceId: string, requests: number): Promise<TraceRecord> => {
    const probe = async () => {
      const response = await member.get(`/account/traces/${traceId}`);
      const found = response.status === 200 ? traceRecord.parse(await response.json()) : undefined;
      return found !== undefined && found.requests.length >= requests ? found : undefined;
    };
    return until(probe, { what: `${requests} requests of ${traceId}`, everyMs: 20 });
  };

  for (const path of ["/v1/tts", "/v1/tts/stream/with-timestamp"]) {
    it(`continues the caller's trace through POST ${path}`, async () => {
      const traceId = newTrace();
      const { response, bytes } = await speak(path, { ...parentOf(traceId), tracestate: "vendor=a, other=b" });
      assert.equal(response.headers.get("x-trace-id"), traceId);
      const spans = await collector.waitForSpans(traceId, SPEAKING);
      const edge = only(spans, "edge");
      assert.equal(edge.parentId, CALLER);
      assert.equal(edge.flags & 0x300, 0x300, "its parent is known to be elsewhere");
      assert.equal(edge.kind, 2);
      assert.equal(edge.status, 0);
      assert.equal(edge.attributes["http.route"], path);
      assert.equal(edge.attributes["http.response.status_code"], 200);
      assert.equal(edge.attributes["parlance.format"], "mp3");
      assert.equal(edge.attributes["parlance.characters"], TEXT.length);
      assert.ok(Number(edge.attributes["parlance.audio_seconds"]) > 5);
      assert.ok(Number(edge.attributes["parlance.first_audio_ms"]) > 0);
      assertTree(spans, edge);
      for (const span of spans) assert.equal(span.tracestate, "vendor=a,other=b");
      assertSpoken(spans);
      assert.ok(bytes.length > 0);
    });
  }

  for (const path of [LIVE_PATH, LIVE_TIMESTAMPS_PATH]) {
    it(`continues it through the upgrade and every round of WS ${path}`, async () => {
      const traceId = newTrace();
      const live = await connectLive(server.url, { path, headers: { ...member.headers, ...parentOf(traceId) } });
      assert.equal(live.headers["x-trace-id"], traceId);
      for (const text of [TEXT, "And once more."]) {
        live.send({ event: "start", request: { format: "pcm", seed: 3 } }, { event: "text", text }, { event: "stop" });
        assert.equal((await live.round()).finish.reason, "stop");
      }
      await live.close();
      await kept(traceId, 3);
      const spans = await collector.waitForSpans(traceId, ["round", "round", ...SPEAKING]);
      const edge = only(spans, "edge");
      assert.equal(edge.parentId, CALLER);
      assert.equal(edge.attributes["http.response.status_code"], 101);
      assertTree(spans, edge);
      const rounds = spans.filter((span) => span.name === "round");
      assert.equal(rounds.length, 2);
      for (const round of rounds) {
        assert.equal(round.parentId, edge.spanId);
        assert.ok(Number(round.attributes["parlance.audio_seconds"]) > 0.2);
        assert.ok(Number(round.attributes["parlance.first_audio_ms"]) > 0);
        const below = spans.filter((span) => span.parentId === round.spanId).map((span) => span.name);
        for (const name of ["admission", "credit", "text", "inference", "alignment", "encode"]) {
          assert.ok(below.includes(name), `${name} in ${below}`);
        }
      }
      const admission = spans.find((span) => span.name === "admission" && span.parentId === edge.spanId);
      const admitted = spans.filter((span) => span.parentId === admission?.spanId).map((span) => span.name);
      assert.deepEqual(admitted.toSorted(), ["auth", "credit", "limits"]);
    });
  }

  it("continues it through POST /v1/asr", async () => {
    const traceId = newTrace();
    const { response, transcript } = await transcribe(server, { ...member.headers, ...parentOf(traceId) });
    assert.equal(response.headers.get("x-trace-id"), traceId);
    assert.match(transcript.text, /fellow Americans/);
    const names = ["edge", "admission", "auth", "limits", "receive", "decode", "credit", "vad", "transcription"];
    const spans = await collector.waitForSpans(traceId, names);
    const edge = only(spans, "edge");
    assert.equal(edge.parentId, CALLER);
    assert.equal(edge.attributes["parlance.audio_seconds"], transcript.duration);
    assertTree(spans, edge);
    assert.equal(only(spans, "decode").attributes["parlance.codec"], "pcm_s16le");
    const steps = ["admission", "decode", "vad", "transcription"].map((name) => starts(spans, name));
    assert.deepEqual(steps, steps.toSorted(), "one after the other");
    const transcriptions = spans.filter((span) => span.name === "transcription");
    const recognizedSeconds = transcriptions.reduce(
      (sum, span) => sum + Number(span.attributes["parlance.audio_seconds"]),
      0,
    );
    assert.ok(
      recognizedSeconds > transcript.duration / 2 && recognizedSeconds <= transcript.duration + 0.01,
      `${recognizedSeconds} s`,
    );
    for (const span of transcriptions) {
      assert.equal(span.attributes["parlance.engine"], "moonshine");
      assertInWorker(span, transcription.workers());
    }
  });

  it("shows its owner the same spans that were exported", async () => {
    const traceId = newTrace();
    await speak("/v1/tts", parentOf(traceId));
    const exported = await collector.waitForSpans(traceId, SPEAKING);
    const { requests } = await kept(traceId, 1);
    const [request] = requests;
    assert.ok(request);
    assert.deepEqual(
      request.spans.map((span) => `${span.span_id} ${span.parent_id} ${span.name}`).toSorted(),
      exported.map((span) => `${span.spanId} ${span.parentId} ${span.name}`).toSorted(),
    );
    assert.equal(request.dropped_spans, 0);
    assert.equal(request.spans[0]?.span_id, request.span_id);
    const [edge, inference] = ["edge", "inference"].map((name) => request.spans.find((span) => span.name === name));
    assert.ok(edge && inference && inference.start_ms > 0);
    assert.ok(inference.start_ms + inference.duration_ms <= edge.duration_ms + 1);
  });

  it("keeps unsampled traces for their owner, and does not export them", async () => {
    const [unwanted, wanted] = [newTrace(), newTrace()];
    await speak("/v1/tts", parentOf(unwanted, "00"));
    await transcribe(server, { ...member.headers, ...parentOf(unwanted, "00") });
    const live = await connectLive(server.url, { headers: { ...member.headers, ...parentOf(unwanted, "00") } });
    live.send({ event: "start", request: { format: "pcm", text: "Hello." } }, { event: "stop" });
    await live.round();
    await live.close();
    const { requests } = await kept(unwanted, 4);
    assert.deepEqual(requests.map((request) => request.route).toSorted(), [
      "POST /v1/asr",
      "POST /v1/tts",
      `WS ${LIVE_PATH}`,
      `WS ${LIVE_PATH}`,
    ]);
    await speak("/v1/tts", parentOf(wanted));
    await collector.waitForSpans(wanted, SPEAKING);
    assert.deepEqual(
      collector.spans.filter((span) => span.traceId === unwanted),
      [],
    );
  });

  it("starts a new trace when there is none to continue", async () => {
    const bad = `00-${newTrace().toUpperCase()}-${CALLER}-01`;
    const { response } = await speak("/v1/tts", { traceparent: bad, tracestate: "vendor=a" });
    const traceId = response.headers.get("x-trace-id") ?? "";
    assert.notEqual(traceId, bad.split("-")[1]);
    const edge = only(await collector.waitForSpans(traceId, SPEAKING), "edge");
    assert.equal(edge.parentId, "");
    assert.equal(edge.tracestate, "");
  });

  it("gives the same audio, charge and limits, however a request is traced", async () => {
    const said: object[] = [];
    const short = { ...SPOKEN, text: "The wind turned to the north." };
    for (const [to, headers] of [
      [server, parentOf(newTrace())],
      [server, parentOf(newTrace(), "00")],
      [server, {}],
      [untraced, parentOf(newTrace())],
      [untraced, {}],
    ] as const) {
      const caller = await addMember(to, "free");
      const all = { ...caller.headers, ...headers };
      const file = await to.post(short, { headers: all });
      const bytes = Buffer.from(await file.arrayBuffer());
      const events = await (await to.post(short, { headers: all, path: "/v1/tts/stream/with-timestamp" })).text();
      const live = await connectLive(to.url, { headers: all });
      live.send({ event: "start", request: { ...short, format: "pcm" } }, { event: "stop" });
      const { audio } = await live.round();
      await live.close();
      const { transcript, response } = await transcribe(to, all);
      const limits = [file, response].map(({ headers: given }) =>
        [...given].filter(([name]) => name.startsWith("ratelimit")),
      );
      const ledger = await to.store.ledger.listOf(caller.id, { limit: 100 });
      said.push({
        audio: bytes.toString("base64"),
        events: events.replace(/\s+$/, ""),
        live: audio.toString("base64"),
        transcript,
        limits,
        balances: await caller.balances(),
        ledger: ledger.map(({ amount, kind }) => ({ amount, kind })),
      });
    }
    for (const other of said) assert.deepEqual(other, said[0]);
  });

  it("exports no text, key, user, voice id or file name", async () => {
    const traceId = newTrace();
    const [voice] = speech.voices();
    await speak("/v1/tts", parentOf(traceId), { ...SPOKEN, reference_id: voice?.id });
    // A refusal whose message quotes the request.
    await server.post({ ...SPOKEN, format: "zebras" }, { headers: { ...member.headers, ...parentOf(traceId) } });
    await collector.waitForSpans(traceId, SPEAKING);
    const key = member.headers.authorization?.replace("Bearer ", "") ?? "";
    const everything = Buffer.concat(collector.bodies).toString("latin1");
    assert.ok(everything.includes("inference"));
    for (const secret of [...FRAGMENTS, key, member.id, server.adminId, voice?.id ?? "", server.folder]) {
      assert.ok(secret.length > 3 && !everything.includes(secret), secret);
    }
    const { requests } = await kept(traceId, 2);
    const shown = JSON.stringify(requests);
    for (const secret of [...FRAGMENTS, key, member.id, voice?.id ?? ""]) assert.ok(!shown.includes(secret), secret);
  });

  function assertSpoken(spans: readonly ReceivedSpan[]): void {
    const inferences = spans.filter((span) => span.name === "inference");
    assert.ok(inferences.length >= 2, "a span for each chunk");
    assert.deepEqual(
      inferences.map((span) => span.attributes["parlance.chunk"]).toSorted(),
      inferences.map((_, index) => index),
    );
    const characters = inferences.reduce((sum, span) => sum + Number(span.attributes["parlance.characters"]), 0);
    assert.equal(characters, TEXT.length);
    for (const name of ["text", "alignment", "encode"]) {
      const chunks = spans.filter((span) => span.name === name && span.attributes["parlance.chunk"] !== undefined);
      assert.equal(chunks.length, inferences.length, name);
    }
    for (const span of inferences) {
      assert.equal(span.attributes["parlance.engine"], "kokoro");
      assert.match(String(span.attributes["parlance.voice"]), /^[0-9a-f]{16}$/);
      assert.ok(Number(span.attributes["parlance.audio_seconds"]) > 0.5);
      assertInWorker(
        span,
        speech.workers().map((worker) => worker.pid),
      );
    }
  }
});

/** Every span is a descendant of the outermost one and within its time, and all ids are valid. */
function assertTree(spans: readonly ReceivedSpan[], edge: ReceivedSpan): void {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  assert.equal(byId.size, spans.length);
  for (const span of spans) {
    assert.match(span.spanId, /^(?!0+$)[0-9a-f]{16}$/);
    assert.ok(span.fromNs >= edge.fromNs && span.toNs >= span.fromNs, span.name);
    assert.equal(span.resource["service.name"], "parlance");
    assert.equal(span.scope, "parlance");
    let above: ReceivedSpan | undefined = span;
    for (let depth = 0; above !== edge; depth++) {
      assert.ok(above !== undefined && depth < 10, `${span.name} is not below the edge`);
      above = byId.get(above.parentId);
    }
  }
}

/** Timed by a worker process: with a queue time, and a CPU time of at most its duration. */
function assertInWorker(span: ReceivedSpan, workers: readonly number[]): void {
  const lasted = Number(span.toNs - span.fromNs) / 1e6;
  const busy = Number(span.attributes["parlance.busy_ms"]);
  assert.ok(busy > 0 && busy <= lasted + 1, `${busy} of ${lasted} ms`);
  assert.ok(Number(span.attributes["parlance.queue_ms"]) >= 0);
  assert.equal(span.attributes["parlance.tries"], 1);
  assert.equal(span.attributes["parlance.outcome"], "done");
  assert.ok(workers.includes(Number(span.attributes["parlance.worker"])));
}

function only(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter((span) => span.name === name);
  assert.equal(found.length, 1, name);
  return found[0] ?? assert.fail();
}

function starts(spans: readonly ReceivedSpan[], name: string): bigint {
  return spans
    .filter((span) => span.name === name)
    .reduce((least, { fromNs }) => (fromNs < least ? fromNs : least), 2n ** 64n);
}
