import type { Operation } from "@parlance/protocol";
import { noSpan, type Span, type SpanAttributes, type SpanEnd, workClock } from "@parlance/speech";
import { newSpanId, type RemoteParent } from "./trace.ts";
import type { RequestData, SpanData } from "./trace-records.ts";
import type { TraceStore } from "./trace-store.ts";

/** Records what requests do: for the store, which keeps the newest, and for the export, which gets those that are sampled. */
export interface Tracer {
  begin(start: RequestStart): RequestSpan;
}

export interface RequestStart {
  /** Method and pattern: `POST /v1/tts`. */
  readonly route: string;
  readonly operation: Operation;
  readonly traceId: string;
  /** The span of the caller's that it continues. */
  readonly parent?: RemoteParent | undefined;
}

/** The outermost span of a request. */
export interface RequestSpan extends Span {
  /** Ends it. Once; `end` does nothing here. */
  finish(end: RequestFinish): void;
  /** A request that came by the connection which this one has opened: of the same trace, sampled alike. */
  follow(name: string, from: number): RequestSpan;
}

export interface RequestFinish {
  readonly status: number;
  /** It was answered well and whole. */
  readonly ok: boolean;
  /** What went wrong, as a code: never a message, which may quote what was sent. */
  readonly error?: string | undefined;
  /** Undefined: nobody is known to have sent it. Then it is not kept, so that strangers cannot push out what is. */
  readonly userId?: string | undefined;
  readonly at?: number | undefined;
  readonly characters?: number | undefined;
  readonly audioSeconds?: number | undefined;
  readonly firstAudioMs?: number | undefined;
}

/** What goes to a collector. Nothing here waits, and nothing throws. */
export interface SpanSink {
  /** Whether a new request is to be exported. Only asked at its outermost span: the others follow it. */
  samples(traceId: string, parent: RemoteParent | undefined): boolean;
  take(span: SpanData, about: ExportedWith): void;
}

/** What a span says of itself to a collector beside its data. */
export interface ExportedWith {
  readonly traceId: string;
  readonly tracestate: string | undefined;
  /** It is the outermost, and its parent is the caller's. */
  readonly hasRemoteParent: boolean;
  readonly isOutermost: boolean;
}

/** A long text has some hundred chunks, with a few spans each. What comes after that many is counted and not recorded. */
export const MOST_SPANS = 1000;

export const noRequestSpan: RequestSpan = { ...noSpan, finish() {}, follow: () => noRequestSpan };
export const noTracer: Tracer = { begin: () => noRequestSpan };

export interface TracerParts {
  readonly store: TraceStore;
  readonly sink?: SpanSink | undefined;
}

export function createTracer({ store, sink }: TracerParts): Tracer {
  if (store.capacity === 0 && sink === undefined) return noTracer;
  return {
    begin(start) {
      const { traceId, parent } = start;
      const sampled = sink?.samples(traceId, parent) ?? false;
      if (!sampled && store.capacity === 0) return noRequestSpan;
      const outermost = { name: "edge", from: workClock(), parentId: parent?.parentId };
      return openRequest(start, outermost, store, sampled ? sink : undefined);
    },
  };
}

interface Outermost {
  readonly name: string;
  readonly from: number;
  readonly parentId: string | undefined;
}

function openRequest(
  start: RequestStart,
  { name, from, parentId }: Outermost,
  store: TraceStore,
  sink: SpanSink | undefined,
): RequestSpan {
  const { route, operation, traceId, parent } = start;
  const tracestate = parent?.tracestate;
  const spans: SpanData[] = [];
  let opened = 0;
  let dropped = 0;

  const open = (span: Outermost, given: SpanAttributes, isOutermost = false): Span & { readonly spanId: string } => {
    const spanId = newSpanId();
    const attributes: Record<string, string | number | boolean> = { ...given };
    let ended = false;
    opened++;
    return {
      spanId,
      child(childName, childAttributes = {}, childFrom = workClock()) {
        if (opened < MOST_SPANS) return open({ name: childName, from: childFrom, parentId: spanId }, childAttributes);
        dropped++;
        return noSpan;
      },
      set(more) {
        if (!ended) Object.assign(attributes, more);
      },
      end({ at = workClock(), failed }: SpanEnd = {}) {
        if (ended) return;
        ended = true;
        const data: SpanData = { ...span, spanId, to: Math.max(span.from, at), error: failed, attributes };
        spans.push(data);
        const hasRemoteParent = isOutermost && name === "edge" && parent !== undefined;
        sink?.take(data, { traceId, tracestate, hasRemoteParent, isOutermost });
      },
    };
  };

  const [method = "", pattern = ""] = route.split(" ");
  const about = { "http.request.method": method === "WS" ? "GET" : method, "http.route": pattern };
  const outermost = open({ name, from, parentId }, about, true);
  const { spanId } = outermost;
  let finished = false;

  return {
    child: outermost.child,
    set: outermost.set,
    end() {},
    follow: (next, nextFrom) => openRequest(start, { name: next, from: nextFrom, parentId: spanId }, store, sink),
    finish({ at = workClock(), status, ok, error, userId, characters, audioSeconds, firstAudioMs }) {
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
      for (const [key, value] of Object.entries(facts)) if (value !== undefined) outermost.set({ [key]: value });
      outermost.end({ at, failed: ok ? undefined : (error ?? `status ${status}`) });
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
