import assert from "node:assert/strict";
import { it } from "node:test";
import type { SpanRecord, TraceList, TraceRecord } from "@parlance/protocol";
import fc from "fast-check";
import { ConnectionError } from "../http/connection.ts";
import { answeredWith } from "../testing/answering.ts";
import { findTraceId, newTrace } from "./new-trace.ts";
import { describeSpanError } from "./span-error.ts";
import { spanRows } from "./span-rows.ts";

const ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const request = {
  trace_id: ID,
  span_id: "00f067aa0ba902b7",
  started_at: "2026-05-01T12:00:00.000Z",
  duration_ms: 320.5,
  route: "POST /v1/tts",
  operation: "tts" as const,
  status: 200,
  ok: true,
  first_audio_ms: 81.2,
  audio_seconds: null,
};
const list: TraceList = { items: [request], kept: 500 };
const trace: TraceRecord = {
  trace_id: ID,
  requests: [{ ...request, spans: [spanOf("a", null, 0)], dropped_spans: 0 }],
};

function spanOf(span_id: string, parent_id: string | null, start_ms: number): SpanRecord {
  return {
    span_id,
    parent_id,
    name: span_id,
    start_ms,
    duration_ms: 1,
    error: null,
    attributes: { "audio.seconds": 2 },
  };
}

it("traces lists own requests or those of all accounts, and returns the spans of a trace", async () => {
  const listed = answeredWith(list);
  assert.deepEqual(await listed.client.traces.list(), list);
  assert.deepEqual(await listed.client.traces.list({ status: "error", min_ms: 100, max_ms: undefined }), list);
  assert.deepEqual(await listed.client.traces.all.list({ operation: "asr", limit: 3 }), list);
  assert.deepEqual(listed.requestedPaths, [
    "/account/traces",
    "/account/traces?status=error&min_ms=100",
    "/admin/traces?operation=asr&limit=3",
  ]);
  const opened = answeredWith(trace);
  assert.deepEqual(await opened.client.traces.get(ID), trace);
  assert.deepEqual(await opened.client.traces.all.get("a/b"), trace);
  assert.deepEqual(opened.requestedPaths, [`/account/traces/${ID}`, "/admin/traces/a%2Fb"]);
});

it("traces refuses an invalid response", async () => {
  await assert.rejects(answeredWith({ requests: [] }).client.traces.get(ID), ConnectionError);
  await assert.rejects(answeredWith({ items: [] }).client.traces.list(), ConnectionError);
});

it("newTrace makes a traceparent whose id findTraceId finds again", () => {
  const { traceId, traceparent } = newTrace();
  assert.match(traceparent, /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
  assert.equal(findTraceId(traceparent), traceId);
  assert.notEqual(newTrace().traceId, traceId);
});

it("findTraceId finds the id in a traceparent and in addresses", () => {
  assert.equal(findTraceId(`  ${ID.toUpperCase()}\n`), ID);
  assert.equal(findTraceId(`x-trace-id: ${ID}`), ID);
  assert.equal(findTraceId(`https://voice.example.org/#/traces/${ID}?all=1`), ID);
  for (const text of ["", "4bf92f35", `${ID}a`, ID.replace("4", "g")]) assert.equal(findTraceId(text), undefined);
});

it("describeSpanError describes codes", () => {
  assert.match(describeSpanError("cut"), /did not wait/);
  assert.equal(describeSpanError("insufficient_balance"), "insufficient balance");
});

it("spanRows puts each span below its parent, by start time", () => {
  const spans = [
    spanOf("edge", "callers", 0),
    spanOf("encode", "edge", 9),
    spanOf("auth", "admission", 2),
    spanOf("admission", "edge", 1),
  ];
  assert.deepEqual(
    spanRows(spans).map(({ span, depth, parent }) => [span.name, depth, parent?.name]),
    [
      ["edge", 0, undefined],
      ["admission", 1, "edge"],
      ["auth", 2, "admission"],
      ["encode", 1, "edge"],
    ],
  );
});

it("spanRows returns the chunk of a span and its time in the queue", () => {
  const waited = { ...spanOf("inference", null, 0), attributes: { chunk: 1, queue_ms: 2.5 } };
  const [one, other] = spanRows([waited, { ...spanOf("text", null, 1), attributes: { chunk: "x", queue_ms: true } }]);
  assert.deepEqual([one?.chunk, one?.queueMs], [1, 2.5]);
  assert.deepEqual([other?.chunk, other?.queueMs], [undefined, 0]);
});

it("spanRows returns every span once, even when parents form a circle", () => {
  const id = fc.integer({ min: 0, max: 8 }).map(String);
  const any = fc.record({ id, parent: fc.option(id), start: fc.integer({ min: -5, max: 50 }) });
  const sets = fc.uniqueArray(any, { selector: (span) => span.id, maxLength: 9 });
  fc.assert(
    fc.property(sets, (set) => {
      const spans = set.map((span) => spanOf(span.id, span.parent, span.start));
      const rows = spanRows(spans);
      assert.deepEqual(new Set(rows.map(({ span }) => span)), new Set(spans));
      assert.equal(rows.length, spans.length);
      for (const { span, parent } of rows) if (parent) assert.equal(span.parent_id, parent.span_id);
    }),
  );
});
