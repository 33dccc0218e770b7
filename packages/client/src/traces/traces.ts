import { type TraceList, type TraceRecord, type TracesQuery, traceList, traceRecord } from "@parlance/protocol";
import { queryOf } from "../account/admin.ts";
import type { CallOptions, Connection } from "../http/connection.ts";

/** Reads traces. Each node keeps its latest requests in memory. */
export interface TraceReader {
  /**
   * Lists recent requests, the newest first.
   *
   * @example
   * ```ts
   * const { items } = await client.traces.list({ status: "error", operation: "tts", limit: 10 });
   * for (const { trace_id, duration_ms, status } of items) console.log(trace_id, duration_ms, status);
   * ```
   */
  list(query?: TracesQuery, call?: CallOptions): Promise<TraceList>;
  /**
   * Returns all requests of one trace with their spans. Throws `ApiError` 404 when none of them is kept.
   *
   * @example
   * ```ts
   * import { spanRows } from "@parlance/client";
   *
   * const { requests } = await client.traces.get("4bf92f3577b34da6a3ce929d0e0e4736");
   * for (const { spans } of requests) {
   *   for (const { span, depth } of spanRows(spans)) console.log(" ".repeat(depth), span.name, span.duration_ms);
   * }
   * ```
   */
  get(traceId: string, call?: CallOptions): Promise<TraceRecord>;
}

/** Traces of the account's requests. */
export interface Traces extends TraceReader {
  /** For admins: the requests of all accounts. */
  readonly all: TraceReader;
}

export function createTraces({ json }: Connection): Traces {
  const tracesBelow = (path: string): TraceReader => ({
    list: (query = {}, call = {}) => json("GET", `${path}/traces${queryOf(query)}`, traceList, call),
    get: (traceId, call = {}) => json("GET", `${path}/traces/${encodeURIComponent(traceId)}`, traceRecord, call),
  });
  return { ...tracesBelow("/account"), all: tracesBelow("/admin") };
}
