import type { Operation } from "@parlance/protocol";
import { CLIENT_GONE } from "./request-log.ts";
import type { RequestData } from "./trace-records.ts";

/** Keeps the traces of the newest requests of this process in memory. */
export interface TraceStore {
  /** The maximum number of requests. */
  readonly capacity: number;
  add(request: RequestData): void;
  /** Newest first. */
  list(filter: TraceFilter, limit: number): readonly RequestData[];
  /** All stored requests of a trace, oldest first. */
  find(traceId: string, userId: string | undefined): readonly RequestData[];
}

export interface TraceFilter {
  /** Left out: all accounts. */
  readonly userId?: string | undefined;
  /** False: only those that failed. What a client stopped is neither. */
  readonly ok?: boolean | undefined;
  readonly operation?: Operation | undefined;
  readonly minMs?: number | undefined;
  readonly maxMs?: number | undefined;
}

/** A request has about ten spans; one with hundreds counts like several. */
const SPANS_PER_REQUEST = 32;

/** Removes the oldest when there are too many requests, or too many spans in total. */
export function createTraceStore(capacity: number): TraceStore {
  const maxSpans = capacity * SPANS_PER_REQUEST;
  /** In order of their end. The size is the number of spans at the end; one or two may be added later. */
  const kept: { readonly request: RequestData; readonly size: number }[] = [];
  let spans = 0;

  return {
    capacity,
    add(request) {
      if (capacity === 0) return;
      const size = request.spans.length;
      kept.push({ request, size });
      spans += size;
      while (kept.length > capacity || (spans > maxSpans && kept.length > 1)) spans -= kept.shift()?.size ?? 0;
    },
    list({ userId, ok, operation, minMs = 0, maxMs = Number.POSITIVE_INFINITY }, limit) {
      const found: RequestData[] = [];
      for (let at = kept.length - 1; at >= 0 && found.length < limit; at--) {
        const request = kept[at]?.request;
        if (request === undefined) break;
        const ms = request.to - request.from;
        const fits =
          (userId === undefined || request.userId === userId) &&
          (ok === undefined || (ok ? request.ok : hasFailed(request))) &&
          (operation === undefined || request.operation === operation) &&
          ms >= minMs &&
          ms <= maxMs;
        if (fits) found.push(request);
      }
      return found;
    },
    find: (traceId, userId) =>
      kept
        .map(({ request }) => request)
        .filter((request) => request.traceId === traceId && (userId === undefined || request.userId === userId)),
  };
}

function hasFailed({ ok, status }: RequestData): boolean {
  return !ok && status !== CLIENT_GONE;
}
