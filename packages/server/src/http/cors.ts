import {
  ERROR_CODE_HEADER,
  HISTORY_HEADER,
  MODEL_HEADER,
  SSML_IGNORED_HEADER,
  TRACE_ID_HEADER,
} from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The response headers that a page of another origin may read. */
const EXPOSED = [
  TRACE_ID_HEADER,
  ERROR_CODE_HEADER,
  MODEL_HEADER,
  HISTORY_HEADER,
  SSML_IGNORED_HEADER,
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-limit-concurrency",
  "ratelimit-current-concurrency",
  "retry-after",
].join(", ");
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** The maximum that browsers accept. */
const PREFLIGHT_LASTS_SECONDS = "7200";
/** Names of headers, as a browser lists them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]{1,100}(?:, ?[\w!#$%&'*+.^`|~-]{1,100}){0,49}$/;

/**
 * Lets pages of other origins use the API with a key. Never with the dashboard's session: no response allows credentials, so
 * a browser shows such a page nothing that it got by a cookie, and whatever changes something by a cookie still has to
 * come from our own pages (`csrf.ts`).
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[] | undefined): void {
  if (origins === undefined) return;
  app.addHook("onRequest", async (request, reply) => {
    const { method, headers } = request;
    if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return;
    if (allowedOrigin(request, origins) === undefined) return;
    const requested = headers["access-control-request-headers"] ?? "";
    // Whether the route exists is decided by the request itself, whose response the page can read.
    return reply
      .code(204)
      .headers({
        "access-control-allow-methods": METHODS,
        ...(HEADER_NAMES.test(requested) ? { "access-control-allow-headers": requested } : {}),
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
  // A cache must not give the response for one origin to another, or to a request without one.
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
