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

/** A request that is over. Spans that outlast it come later. */
export interface RequestData {
  readonly traceId: string;
  /** Of its outermost span. */
  readonly spanId: string;
  /** Whose it was. Only decides who may see it: it stands in no span. */
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
