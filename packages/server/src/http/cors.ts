import { ERROR_CODE_HEADER, TRACE_ID_HEADER } from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What a page elsewhere may read of an answer, besides what every page may. */
const EXPOSED = [
  TRACE_ID_HEADER,
  ERROR_CODE_HEADER,
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-limit-concurrency",
  "ratelimit-current-concurrency",
  "retry-after",
].join(", ");
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** As long as browsers keep it at most. */
const PREFLIGHT_LASTS_SECONDS = "7200";
/** Names of headers, as a browser lists them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]{1,100}(?:, ?[\w!#$%&'*+.^`|~-]{1,100}){0,49}$/;

/**
 * Lets pages of other origins use the API with a key. Never with the dashboard's session: no answer allows credentials, so
 * a browser shows such a page nothing that it got by a cookie, and whatever changes something by a cookie still has to
 * come from our own pages (`csrf.ts`).
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[] | undefined): void {
  if (origins === undefined) return;
  app.addHook("onRequest", async (request, reply) => {
    const { method, headers } = request;
    if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return;
    if (allowedOrigin(request, origins) === undefined) return;
    const wanted = headers["access-control-request-headers"] ?? "";
    // Whether there is such a route is for the request itself to find out: then the page can read the answer.
    return reply
      .code(204)
      .headers({
        "access-control-allow-methods": METHODS,
        ...(HEADER_NAMES.test(wanted) ? { "access-control-allow-headers": wanted } : {}),
        "access-control-max-age": PREFLIGHT_LASTS_SECONDS,
      })
      .send();
  });
  app.addHook("onSend", async (request, reply) => {
    addCorsHeaders(request, reply, origins);
  });
}

function addCorsHeaders(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  const allowed = allowedOrigin(request, origins);
  // A cache must not give one origin's answer to another, nor one without an origin to one with.
  if (!origins.includes("*")) {
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "origin" : `${String(vary)}, origin`);
  }
  if (allowed === undefined) return;
  reply.headers({ "access-control-allow-origin": allowed, "access-control-expose-headers": EXPOSED });
}

function allowedOrigin({ headers }: FastifyRequest, origins: readonly string[]): string | undefined {
  if (headers.origin === undefined) return undefined;
  if (origins.includes("*")) return "*";
  return origins.includes(headers.origin) ? headers.origin : undefined;
}
