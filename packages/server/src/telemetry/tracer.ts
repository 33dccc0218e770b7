import type { Operation } from "@parlance/protocol";
import { monotonicTime, noSpan, type Span, type SpanAttributes, type SpanEnd } from "@parlance/speech";
import { newSpanId, type RemoteParent } from "./trace.ts";
import type { RequestData, SpanData } from "./trace-records.ts";
import type { TraceStore } from "./trace-store.ts";

/** Records the spans of requests, for the trace store and, if the request is sampled, for the export. */
export interface Tracer {
  begin(start: RequestStart): RequestSpan;
}

export interface RequestStart {
  /** Method and pattern: `POST /v1/tts`. */
  readonly route: string;
  readonly operation: Operation;
  readonly traceId: string;
  /** The client's span that this request continues. */
  readonly parent?: RemoteParent | undefined;
}

/** The root span of a request. */
export interface RequestSpan extends Span {
  /** Ends the request. Only the first call counts; `end` does nothing on a root span. */
  finish(end: RequestFinish): void;
  /** A further request on the same connection: in the same trace, with the same sampling decision. */
  follow(name: string, from: number): RequestSpan;
}

export interface RequestFinish {
  readonly status: number;
  /** The response was successful and complete. */
  readonly ok: boolean;
  /** An error code, never a message, which may quote the request. */
  readonly error?: string | undefined;
  /** Undefined: not authenticated. Such requests are not stored, so that they cannot displace others. */
  readonly userId?: string | undefined;
  readonly at?: number | undefined;
  readonly characters?: number | undefined;
  readonly audioSeconds?: number | undefined;
  readonly firstAudioMs?: number | undefined;
}

/** Takes spans for a collector. Never blocks and never throws. */
export interface SpanSink {
  /** Whether a new request is exported. Decided once, at its root span. */
  shouldSample(traceId: string, parent: RemoteParent | undefined): boolean;
  add(span: SpanData, context: SpanExportContext): void;
}

/** The fields of an exported span that are common to its request. */
export interface SpanExportContext {
  readonly traceId: string;
  readonly tracestate: string | undefined;
  /** It is a root span whose parent is the client's. */
  readonly hasRemoteParent: boolean;
  readonly isRoot: boolean;
}

/** A long text has some hundred chunks, with a few spans each. Spans over this number are counted and dropped. */
export const MAX_SPANS = 1000;

export const noRequestSpan: RequestSpan = { ...noSpan, finish() {}, follow: () => noRequestSpan };
const noTracer: Tracer = { begin: () => noRequestSpan };

export interface TracerParts {
  readonly store: TraceStore;
  readonly sink?: SpanSink | undefined;
}

export function createTracer({ store, sink }: TracerParts): Tracer {
  if (store.capacity === 0 && sink === undefined) return noTracer;
  return {
    begin(start) {
      const { traceId, parent } = start;
      const sampled = sink?.shouldSample(traceId, parent) ?? false;
      if (!sampled && store.capacity === 0) return noRequestSpan;
      const root = { name: "edge", from: monotonicTime(), parentId: parent?.parentId };
      return openRequest(start, root, store, sampled ? sink : undefined);
    },
  };
}

interface SpanStart {
  readonly name: string;
  readonly from: number;
  readonly parentId: string | undefined;
}

function openRequest(
  start: RequestStart,
  { name, from, parentId }: SpanStart,
  store: TraceStore,
  sink: SpanSink | undefined,
): RequestSpan {
  const { route, operation, traceId, parent } = start;
  const tracestate = parent?.tracestate;
  const spans: SpanData[] = [];
  let opened = 0;
  let dropped = 0;

  const open = (span: SpanStart, given: SpanAttributes, isRoot = false): Span & { readonly spanId: string } => {
    const spanId = newSpanId();
    const attributes: Record<string, string | number | boolean> = { ...given };
    let ended = false;
    opened++;
    return {
      spanId,
      child(childName, childAttributes = {}, childFrom = monotonicTime()) {
        if (opened < MAX_SPANS) return open({ name: childName, from: childFrom, parentId: spanId }, childAttributes);
        dropped++;
        return noSpan;
      },
      set(more) {
        if (!ended) Object.assign(attributes, more);
      },
      end({ at = monotonicTime(), failed }: SpanEnd = {}) {
        if (ended) return;
        ended = true;
        const data: SpanData = {
          spanId,
          parentId: span.parentId,
          name: span.name,
          from: span.from,
          to: Math.max(span.from, at),
          error: failed,
          attributes,
        };
        spans.push(data);
        const hasRemoteParent = isRoot && name === "edge" && parent !== undefined;
        sink?.add(data, { traceId, tracestate, hasRemoteParent, isRoot });
      },
    };
  };

  const [method = "", pattern = ""] = route.split(" ");
  const about = { "http.request.method": method === "WS" ? "GET" : method, "http.route": pattern };
  const root = open({ name, from, parentId }, about, true);
  const { spanId } = root;
  let finished = false;

  return {
    child: root.child,
    set: root.set,
    end() {},
    follow: (next, nextFrom) => openRequest(start, { name: next, from: nextFrom, parentId: spanId }, store, sink),
    finish({ at = monotonicTime(), status, ok, error, userId, characters, audioSeconds, firstAudioMs }) {
      if (finished) return;
      finished = true;
      const facts = {
        "http.response.status_code": status,
        characters,
        audio_seconds: audioSeconds,
        first_audio_ms: firstAudioMs,
        "error.type": error,
        dropped_spans: dropped === 0 ? undefined : dropped,
      };
      for (const [key, value] of Object.entries(facts)) if (value !== undefined) root.set({ [key]: value });
      root.end({ at, failed: ok ? undefined : (error ?? `status ${status}`) });
      if (userId === undefined) return;
      const to = Math.max(from, at);
      const request = { traceId, spanId, userId, route, operation, from, to, status, ok, firstAudioMs, audioSeconds };
      const record: RequestData = {
        ...request,
        spans,
        get droppedSpans() {
          return dropped;
        },
      };
      store.add(record);
    },
  };
}
