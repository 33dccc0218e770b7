import { TRACE_ID_HEADER } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";

/** On every answer, whatever comes of the request. */
export function commonHeaders(traceId: string): Readonly<Record<string, string>> {
  return {
    [TRACE_ID_HEADER]: traceId,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  };
}

export function addCommonHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(commonHeaders(request.id));
  });
}

/** Our pages load nothing from elsewhere, and may not be made to. */
export function pagePolicy(scripts: "'none'" | "'self'"): string {
  return `default-src 'none'; script-src ${scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}
