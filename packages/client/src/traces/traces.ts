import { type TraceList, type TraceRecord, type TracesQuery, traceList, traceRecord } from "@parlance/protocol";
import { queryOf } from "../account/admin.ts";
import type { CallOptions, Connection } from "../http/connection.ts";

export interface TraceReader {
  /** The newest requests first. Each node keeps its latest ones, and forgets older ones. */
  list(query?: TracesQuery, call?: CallOptions): Promise<TraceList>;
  /** All requests of one trace with their spans. `ApiError` 404 when none of them is kept. */
  get(traceId: string, call?: CallOptions): Promise<TraceRecord>;
}

/** Where the time of recent requests went. */
export interface Traces extends TraceReader {
  /** For admins: everybody's. */
  readonly all: TraceReader;
}

export function createTraces({ json }: Connection): Traces {
  const under = (place: string): TraceReader => ({
    list: (query = {}, call = {}) => json("GET", `${place}/traces${queryOf(query)}`, traceList, call),
    get: (traceId, call = {}) => json("GET", `${place}/traces/${encodeURIComponent(traceId)}`, traceRecord, call),
  });
  return { ...under("/account"), all: under("/admin") };
}
