import { apiError, type TraceList, type TraceRecord, tracesQuery } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { authenticate, authenticateAdmin, callerOf } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseQuery } from "../../http/request-input.ts";
import type { TraceStore } from "../../telemetry/trace-store.ts";
import { toSpan, toTracedRequest } from "./records.ts";

export interface TraceRouteParts {
  readonly identify: Identify;
  readonly traces: TraceStore;
}

const USUAL_LIMIT = 50;

/** Where the time of recent requests went: one's own under /account/traces; everybody's, for admins, under /admin/traces. */
export function traceRoutes(app: FastifyInstance, { identify, traces }: TraceRouteParts): void {
  const list = (request: FastifyRequest, userId: string | undefined): TraceList => {
    const { status, operation, min_ms, max_ms, limit } = parseQuery(tracesQuery, request);
    const ok = status === undefined ? undefined : status === "ok";
    const wanted = { userId, ok, operation, minMs: min_ms, maxMs: max_ms };
    return { items: traces.list(wanted, limit ?? USUAL_LIMIT).map(toTracedRequest), kept: traces.capacity };
  };
  const find = (request: FastifyRequest, userId: string | undefined): TraceRecord => {
    const { trace_id: traceId = "" } = request.params as { readonly trace_id?: string };
    const requests = traces.find(traceId, userId);
    // Somebody else's is not told apart from one that is not here.
    if (requests.length === 0) throw apiError("unknown_trace", {});
    return {
      trace_id: traceId,
      requests: requests.map((each) => ({
        ...toTracedRequest(each),
        spans: each.spans.map((span) => toSpan(span, each)).sort((a, b) => inOrder(a, b, each.spanId)),
        dropped_spans: each.droppedSpans,
      })),
    };
  };

  app.register(async (scope) => {
    authenticate(scope, identify);
    scope.get("/account/traces", async (request) => list(request, callerOf(request).userId));
    scope.get("/account/traces/:trace_id", async (request) => find(request, callerOf(request).userId));
  });
  app.register(async (scope) => {
    authenticateAdmin(scope, identify);
    scope.get("/admin/traces", async (request) => list(request, undefined));
    scope.get("/admin/traces/:trace_id", async (request) => find(request, undefined));
  });
}

interface Placed {
  readonly span_id: string;
  readonly start_ms: number;
}

/** By their starts; the outermost first, whatever the clocks of other processes say. */
function inOrder(a: Placed, b: Placed, outermost: string): number {
  if (a.span_id === outermost) return -1;
  return b.span_id === outermost ? 1 : a.start_ms - b.start_ms;
}
