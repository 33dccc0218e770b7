import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { dialectNameOf, errorBodyFor, routePath } from "../dialects/registry.ts";
import { endConnectionsWhenDraining } from "../http/active-requests.ts";
import { auditRequests } from "../http/audit-requests.ts";
import { addBodyParsers } from "../http/body-parsers.ts";
import { limitConnections, withinOpenFiles } from "../http/connections.ts";
import { allowOrigins } from "../http/cors.ts";
import { discardUnreadBodies } from "../http/discard-body.ts";
import { handleErrors, sendError } from "../http/errors.ts";
import { addCommonHeaders } from "../http/headers.ts";
import { respondToInvalidHttp } from "../http/invalid-http.ts";
import { handleOneAtATime } from "../http/one-at-a-time.ts";
import { collapseSlashes } from "../http/paths.ts";
import { limitReceiveTime, RECEIVE_TIMEOUT_MS } from "../http/receive-timeout.ts";
import { SMALL_BODY } from "../http/request-input.ts";
import { openFileLimit } from "../lib/open-files.ts";
import { logEvent } from "../telemetry/log-events.ts";
import { logRequests } from "../telemetry/request-log.ts";
import { traceRequests } from "../telemetry/request-trace.ts";
import { traceIdOf } from "../telemetry/trace.ts";
import type { ResolvedParts } from "./app-parts.ts";
import type { Services } from "./services.ts";

/** Logs, traces, limits and streams each wait for the end of a response: eleven at once. Node warns of a leak above ten. */
const MAX_RESPONSE_LISTENERS = 20;

/** Fastify with what holds for every route: time limits, headers, logs, traces, errors. */
export function createHttpServer(services: Services, parts: ResolvedParts): FastifyInstance {
  const { config, log, headersTimeoutMs } = parts;
  const { commonHeaders, activeRequests } = services;
  // Fastify's own lines, such as the addresses it listens on, have no event. Those of requests are ours.
  const fastifyLog: FastifyBaseLogger = log.child({}, { level: log.isLevelEnabled("warn") ? "warn" : log.level });
  const http: FastifyInstance = fastify({
    loggerInstance: fastifyLog,
    childLoggerFactory: (_logger, bindings, options) => log.child(bindings, options),
    genReqId: (request) => traceIdOf(request.headers.traceparent),
    requestIdHeader: false,
    // Forwarding headers count only when they come from these proxies.
    trustProxy: config.trustProxy === undefined ? false : [...config.trustProxy],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    rewriteUrl: ({ url = "/", headers }) => routePath({ url: collapseSlashes(url), headers }),
    // A last resort: bodies have time limits of their own, see `limitReceiveTime` and the uploads.
    requestTimeout: parts.uploadTimeouts.totalMs + RECEIVE_TIMEOUT_MS,
    // Routes that accept larger bodies set their own limit.
    ...SMALL_BODY,
    http: {
      headersTimeout: headersTimeoutMs,
      // Node checks the time limit of the headers only at this interval.
      connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
      maxHeaderSize: 16 * 1024,
    },
    // While draining, our own hook answers with the documented body.
    return503OnClosing: false,
    clientErrorHandler: respondToInvalidHttp(commonHeaders),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(request.id));
      sendError(error, request, reply, errorBodyFor);
    },
  });
  http.addHook("onRequest", async (_request, reply) => void reply.raw.setMaxListeners(MAX_RESPONSE_LISTENERS));
  handleOneAtATime(http, parts.timeouts.readerTimeoutMs);
  addCommonHeaders(http, commonHeaders);
  logRequests(http, services.record, dialectNameOf);
  traceRequests(http, services.tracer);
  allowOrigins(http, config.corsOrigins);
  endConnectionsWhenDraining(http, activeRequests);
  limitReceiveTime(http);
  const limits = withinOpenFiles(config, openFileLimit());
  if (limits.maxConnections < config.maxConnections) {
    const reason = `PARLANCE_MAX_CONNECTIONS: the open files of the process (ulimit -n) allow ${limits.maxConnections}`;
    logEvent(log, "setting.ignored", { reason });
  }
  limitConnections(http.server, limits, log);
  discardUnreadBodies(http);
  const findByEmail = async (email: string) => (await services.identity.accounts.search(email))?.id;
  const findName = async (what: "key" | "voice", id: string) =>
    what === "key" ? (await parts.store.apiKeys.find(id))?.name : (await parts.store.voices.find(id))?.title;
  auditRequests(http, { audit: services.audit, findByEmail, findName });
  handleErrors(http, errorBodyFor);
  addBodyParsers(http);
  return http;
}
