import { TRACE_ID_HEADER } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";

export interface HeaderSettings {
  /** Where the service is reached from outside. */
  readonly publicUrl: string | undefined;
  /** Other origins that may read the responses; see `cors.ts`. */
  readonly corsOrigins: readonly string[] | undefined;
}

/** The headers of every response. */
export type CommonHeaders = (traceId: string) => Readonly<Record<string, string>>;

const YEAR_SECONDS = 31_536_000;

export function createCommonHeaders({ publicUrl, corsOrigins }: HeaderSettings): CommonHeaders {
  const fixed = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    // Pages have a policy of their own. Whatever else is opened as one may load nothing and do nothing.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "permissions-policy": "camera=(), geolocation=(), microphone=(self), payment=(), usb=()",
    "cross-origin-resource-policy": corsOrigins === undefined ? "same-origin" : "cross-origin",
    "cross-origin-opener-policy": "same-origin",
    // Only where https is known to work: a browser that has received this does not accept plain http again.
    ...(publicUrl?.startsWith("https:") === true ? { "strict-transport-security": `max-age=${YEAR_SECONDS}` } : {}),
  };
  return (traceId) => ({ [TRACE_ID_HEADER]: traceId, ...fixed });
}

export function addCommonHeaders(app: FastifyInstance, commonHeaders: CommonHeaders): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(commonHeaders(request.id));
  });
}

/** Our pages load nothing from elsewhere, and may not be made to. */
export function pagePolicy(scripts: "'none'" | "'self'"): string {
  return `default-src 'none'; script-src ${scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}
