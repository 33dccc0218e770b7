import assert from "node:assert/strict";
import { it } from "node:test";
import type { SpanRecord, TraceRecord } from "@parlance/protocol";
import fc from "fast-check";
import type { Style } from "../terminal.ts";
import { drawRequest } from "./waterfall.ts";

const as = (text: string): string => text;
const plainStyle: Style = { red: as, green: as, yellow: as, bold: as, dim: as };

function spanOf(span_id: string, parent_id: string | null, start_ms: number, duration_ms: number): SpanRecord {
  return { span_id, parent_id, name: span_id, start_ms, duration_ms, error: null, attributes: {} };
}

function requestOf(duration_ms: number, spans: readonly SpanRecord[]): TraceRecord["requests"][number] {
  return {
    trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
    span_id: "edge",
    started_at: "2026-05-01T12:00:00.000Z",
    duration_ms,
    route: "POST /v1/tts",
    operation: "tts",
    status: 200,
    ok: true,
    first_audio_ms: 84.24,
    audio_seconds: 3.21,
    spans: [...spans],
    dropped_spans: 0,
  };
}

const request = requestOf(100, [
  spanOf("edge", "callers", 0, 100),
  spanOf("text", "edge", 0, 25),
  { ...spanOf("inference", "edge", 25, 50), attributes: { chunk: 0, queue_ms: 12.5 } },
  spanOf("encode", "edge", 75, 0.1),
]);

it("draws each step at its position in time, over the width of the terminal", () => {
  const columns = 62;
  const [what, facts, head, ...steps] = drawRequest(request, { columns, verbose: false, style: plainStyle });
  assert.equal(what, "POST /v1/tts  200");
  assert.equal(facts, "2026-05-01 12:00:00 UTC, 100.0 ms in total, first audio after 84.2 ms, 3.2 s of audio");
  assert.match(head ?? "", /^STEP +START +TOOK$/);
  // 62 less names, two columns of times and three gaps: 28
  assert.deepEqual(steps, [
    `edge           ${"█".repeat(28)}   0.0 ms  100.0 ms`,
    `  text         ${"█".repeat(7)}${" ".repeat(21)}   0.0 ms   25.0 ms`,
    `  inference 0  ${" ".repeat(3)}${"░".repeat(4)}${"█".repeat(14)}${" ".repeat(7)}  25.0 ms   50.0 ms`,
    `  encode       ${" ".repeat(21)}▏${" ".repeat(6)}  75.0 ms    0.1 ms`,
  ]);
});

it("prints a table without a terminal, or in a narrow one", () => {
  for (const columns of [undefined, 30]) {
    const lines = drawRequest(request, { columns, verbose: false, style: plainStyle });
    assert.deepEqual(lines.slice(2, 5), [
      "STEP             START      TOOK",
      "edge            0.0 ms  100.0 ms",
      "  text          0.0 ms   25.0 ms",
    ]);
  }
});

it("prints errors, missing spans and, on demand, attributes, with control characters escaped", () => {
  const failed = {
    ...spanOf("inference", "edge", 5, 5),
    error: "worker_lost",
    attributes: { engine: "piper\u001b[2J" },
  };
  const broken = {
    ...requestOf(10, [spanOf("edge", null, 0, 10), failed]),
    ok: false,
    dropped_spans: 3,
  };
  const lines = drawRequest(broken, { columns: 80, verbose: true, style: plainStyle });
  assert.equal(lines[0], "POST /v1/tts  200, then failed");
  assert.deepEqual(lines.slice(5), [
    "    error: worker lost",
    "    engine = piper?[2J",
    "and 3 more steps, which were not kept",
  ]);
});

it("keeps every step within the width, whatever the times", () => {
  const time = fc.double({ min: -10, max: 1e6, noNaN: true });
  const length = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 300 }), length, time, length, (columns, whole, start, duration) => {
      const spans = [spanOf("edge", null, 0, whole), spanOf("text", "edge", start, duration)];
      const lines = drawRequest(requestOf(whole, spans), { columns, verbose: false, style: plainStyle });
      for (const line of lines.slice(2)) assert.equal(line.length, columns);
      assert.match(lines.at(-1) ?? "", /[█▏]/);
    }),
  );
});
