import { apiError, type TraceList, type TraceRecord, traceList, traceRecord, tracesQuery } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { authenticate, authenticateAdmin, callerOf } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { limitLargeBodies } from "../../http/large-bodies.ts";
import { parseQuery } from "../../http/request-input.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { ClusterTraces } from "../../telemetry/cluster-traces.ts";
import { toSpan, toTracedRequest } from "./records.ts";

export interface TraceRouteParts {
  readonly identify: Identify;
  readonly clusterTraces: ClusterTraces;
}

const DEFAULT_LIMIT = 50;

const listDocs = (id: string, summary: string) =>
  documented({
    id,
    summary,
    description:
      "Finished requests for speech and transcription that the node, or with NATS any node of the cluster, has in memory. A round on a live socket is a request, and so is the upgrade.",
    query: tracesQuery,
    response: traceList,
  });
const traceDocs = (id: string, summary: string) =>
  documented({
    id,
    summary,
    description:
      "Every request of the trace that the node, or with NATS any node of the cluster, has in memory, with its spans.",
    response: traceRecord,
    errors: ["unknown_trace"],
  });

/** The traces of recent requests: of the caller under /account/traces, of all accounts under /admin/traces. */
export function traceRoutes(app: FastifyInstance, { identify, clusterTraces: traces }: TraceRouteParts): void {
  const list = async (request: FastifyRequest, userId: string | undefined): Promise<TraceList> => {
    const { status, operation, min_ms, max_ms, limit } = parseQuery(tracesQuery, request);
    const ok = status === undefined ? undefined : status === "ok";
    const filter = { userId, ok, operation, minMs: min_ms, maxMs: max_ms };
    const found = await traces.list(filter, limit ?? DEFAULT_LIMIT);
    return { items: found.map(toTracedRequest), kept: traces.capacity };
  };
  const find = async (request: FastifyRequest, userId: string | undefined): Promise<TraceRecord> => {
    const { trace_id: traceId = "" } = request.params as { readonly trace_id?: string };
    const requests = await traces.find(traceId, userId);
    // A trace of another account and one that does not exist get the same error.
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
    limitLargeBodies(scope);
    scope.get("/account/traces", listDocs("listTraces", "List recent requests of the account"), async (request) =>
      list(request, callerOf(request).userId),
    );
    scope.get("/account/traces/:trace_id", traceDocs("getTrace", "Get the trace of a request"), async (request) =>
      find(request, callerOf(request).userId),
    );
  });
  app.register(async (scope) => {
    authenticateAdmin(scope, identify);
    scope.get("/admin/traces", listDocs("listAllTraces", "List recent requests of all accounts"), async (request) =>
      list(request, undefined),
    );
    scope.get(
      "/admin/traces/:trace_id",
      traceDocs("getAnyTrace", "Get the trace of a request of any account"),
      async (request) => find(request, undefined),
    );
  });
}

interface SpanStart {
  readonly span_id: string;
  readonly start_ms: number;
}

/** By start time; the outermost first, because the clocks of other processes may differ. */
function inOrder(a: SpanStart, b: SpanStart, outermost: string): number {
  if (a.span_id === outermost) return -1;
  return b.span_id === outermost ? 1 : a.start_ms - b.start_ms;
}
