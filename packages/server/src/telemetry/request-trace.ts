import { ERROR_CODE_HEADER } from "@parlance/protocol";
import { type Span, workClock } from "@parlance/speech";
import type { FastifyInstance, FastifyReply } from "fastify";
import { CLIENT_GONE } from "./request-log.ts";
import { remoteParentOf } from "./trace.ts";
import { noRequestSpan, type Tracer } from "./tracer.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the request does is said below this. Does nothing on routes without inference. */
    trace: Span;
    /** From its headers until it is known that it will be served: who it is, its limits, its body, its price. */
    admission: Span;
    /** While its body comes. */
    receiving: Span;
  }
}

/** The outermost span of each request for inference: from its headers to the end of its answer. */
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
    request.trace = edge;
    request.admission = edge.child("admission");
    reply.raw.once("close", () => {
      const at = workClock();
      const complete = reply.raw.writableFinished;
      const status = complete || reply.raw.headersSent ? reply.statusCode : CLIENT_GONE;
      // What the request has used is only known when all others have heard of its end.
      setImmediate(() => {
        const { facts, receiving, admission } = request;
        // Whoever was refused or left on the way in.
        receiving.end({ at });
        admission.end({ at });
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
