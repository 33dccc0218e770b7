import { ERROR_CODE_HEADER } from "@parlance/protocol";
import { monotonicTime, type Span } from "@parlance/speech";
import type { FastifyInstance, FastifyReply } from "fastify";
import { CLIENT_GONE } from "./request-log.ts";
import { remoteParentOf } from "./trace.ts";
import { noRequestSpan, type Tracer } from "./tracer.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The root span of the request. Does nothing on routes without inference. */
    trace: Span;
    /** From the headers until the request is admitted: identity, limits, body, credit. */
    admission: Span;
    /** While the body is received. */
    receiving: Span;
  }
}

/** Opens the root span of each request with inference: from its headers to the end of its response. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest("trace");
  app.decorateRequest("admission");
  app.decorateRequest("receiving");
  app.addHook("onRequest", async (request, reply) => {
    request.trace = request.admission = request.receiving = noRequestSpan;
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return;
    const route = `${request.method} ${request.routeOptions.url ?? "unknown"}`;
    const parent = remoteParentOf(request.headers);
    const edge = tracer.begin({ route, operation, traceId: request.id, parent });
    if (request.facts.dialect !== undefined) edge.set({ dialect: request.facts.dialect });
    request.trace = edge;
    request.admission = edge.child("admission");
    reply.raw.once("close", () => {
      const at = monotonicTime();
      const complete = reply.raw.writableFinished;
      const sent = complete || reply.raw.headersSent ? reply.statusCode : CLIENT_GONE;
      // Other listeners of `close` may still add to the facts of the request.
      setImmediate(() => {
        const { facts, receiving, admission } = request;
        // Still open when the request was refused or the client disconnected during admission.
        receiving.end({ at });
        admission.end({ at });
        const status = facts.disconnected && !facts.failed ? CLIENT_GONE : sent;
        const ok = complete && status < 400 && facts.failed === undefined;
        edge.finish({ ...facts, at, status, ok, error: errorOf(reply, complete, facts.failed) });
      });
    });
  });
}

function errorOf(reply: FastifyReply, complete: boolean, failed: true | undefined): string | undefined {
  const code = reply.getHeader(ERROR_CODE_HEADER);
  if (typeof code === "string") return code;
  if (failed) return "internal";
  return complete ? undefined : "cut";
}
