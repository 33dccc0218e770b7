import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { endConnectionsWhenDraining } from "../http/active-requests.ts";
import { addBodyParsers } from "../http/body-parsers.ts";
import { limitConnections } from "../http/connections.ts";
import { allowOrigins } from "../http/cors.ts";
import { discardUnreadBodies } from "../http/discard-body.ts";
import { handleErrors, sendError } from "../http/errors.ts";
import { addCommonHeaders } from "../http/headers.ts";
import { respondToInvalidHttp } from "../http/invalid-http.ts";
import { collapseSlashes } from "../http/paths.ts";
import { limitReceiveTime, RECEIVE_TIMEOUT_MS } from "../http/receive-timeout.ts";
import { SMALL_BODY } from "../http/request-input.ts";
import { logRequests } from "../telemetry/request-log.ts";
import { traceRequests } from "../telemetry/request-trace.ts";
import { traceIdOf } from "../telemetry/trace.ts";
import type { ResolvedParts } from "./app-parts.ts";
import type { Services } from "./services.ts";

/** Fastify with what holds for every route: time limits, headers, logs, traces, errors. */
export function createHttpServer(services: Services, parts: ResolvedParts): FastifyInstance {
  const { config, log, headersTimeoutMs } = parts;
  const { commonHeaders, activeRequests } = services;
  const logger: FastifyBaseLogger = log;
  const http: FastifyInstance = fastify({
    loggerInstance: logger,
    genReqId: (request) => traceIdOf(request.headers.traceparent),
    requestIdHeader: false,
    // Forwarding headers count only when they come from these proxies.
    trustProxy: config.trustProxy === undefined ? false : [...config.trustProxy],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    rewriteUrl: (request) => collapseSlashes(request.url ?? "/"),
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
      sendError(error, request, reply);
    },
  });
  addCommonHeaders(http, commonHeaders);
  logRequests(http, services.record);
  traceRequests(http, services.tracer);
  allowOrigins(http, config.corsOrigins);
  endConnectionsWhenDraining(http, activeRequests);
  limitReceiveTime(http);
  limitConnections(http.server, config, log);
  discardUnreadBodies(http);
  handleErrors(http);
  addBodyParsers(http);
  return http;
}
