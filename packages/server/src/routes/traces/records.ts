import type { SpanRecord, TracedRequest } from "@parlance/protocol";
import type { RequestData, SpanData } from "../../telemetry/trace-records.ts";

/** Traces as they go over the wire. */
export function toTracedRequest(request: RequestData): TracedRequest {
  return {
    trace_id: request.traceId,
    span_id: request.spanId,
    started_at: new Date(request.from).toISOString(),
    duration_ms: toMicroseconds(request.to - request.from),
    route: request.route,
    operation: request.operation,
    status: request.status,
    ok: request.ok,
    first_audio_ms: request.firstAudioMs ?? null,
    audio_seconds: request.audioSeconds ?? null,
  };
}

export function toSpan(span: SpanData, within: RequestData): SpanRecord {
  return {
    span_id: span.spanId,
    parent_id: span.parentId ?? null,
    name: span.name,
    start_ms: toMicroseconds(span.from - within.from),
    duration_ms: toMicroseconds(span.to - span.from),
    error: span.error ?? null,
    attributes: { ...span.attributes },
  };
}

/** Milliseconds, rounded to the microsecond. */
function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
