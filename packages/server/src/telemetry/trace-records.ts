import type { Operation } from "@parlance/protocol";
import type { SpanAttributes } from "@parlance/speech";

/** A span that has ended. Times are milliseconds since 1970. */
export interface SpanData {
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly error: string | undefined;
  readonly attributes: SpanAttributes;
}

/** A finished request. Spans that outlast it are added later. */
export interface RequestData {
  readonly traceId: string;
  /** The id of its root span. */
  readonly spanId: string;
  /** The owner, who may see the trace. Not part of any span. */
  readonly userId: string;
  readonly route: string;
  readonly operation: Operation;
  readonly from: number;
  readonly to: number;
  readonly status: number;
  readonly ok: boolean;
  readonly firstAudioMs: number | undefined;
  readonly audioSeconds: number | undefined;
  readonly spans: readonly SpanData[];
  readonly droppedSpans: number;
}
