import {
  type Attributes,
  createTraceState,
  type HrTime,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { SpanData } from "./trace-records.ts";
import type { SpanExportContext } from "./tracer.ts";

/** Converts a span for the exporters of OpenTelemetry. */
export function toReadableSpan(
  span: SpanData,
  { traceId, tracestate, isRoot, hasRemoteParent }: SpanExportContext,
  resource: Resource,
  version: string,
): ReadableSpan {
  const contextOf = (spanId: string, isRemote: boolean): SpanContext => ({
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  });
  const own = contextOf(span.spanId, false);
  return {
    name: span.name,
    kind: isRoot ? SpanKind.SERVER : SpanKind.INTERNAL,
    spanContext: () => own,
    ...(span.parentId === undefined ? {} : { parentSpanContext: contextOf(span.parentId, hasRemoteParent) }),
    startTime: toTime(span.from),
    endTime: toTime(span.to),
    duration: toTime(span.to - span.from),
    ended: true,
    status: statusOf(span),
    attributes: named(span.attributes),
    links: [],
    events: [],
    resource,
    instrumentationScope: { name: "parlance", version },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** By convention, the status of a server span is unset for responses below 500. */
function statusOf({ error, attributes }: SpanData): SpanStatus {
  const status = attributes["http.response.status_code"];
  if (error === undefined || (typeof status === "number" && status < 500)) return { code: SpanStatusCode.UNSET };
  return { code: SpanStatusCode.ERROR, message: error };
}

/** Attribute names without a dot get our prefix, so that they are distinct from those of other services. */
function named(attributes: SpanData["attributes"]): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.includes(".") ? name : `parlance.${name}`, value]),
  );
}

function toTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.min(999_999_999, Math.round((milliseconds - seconds * 1000) * 1e6))];
}
