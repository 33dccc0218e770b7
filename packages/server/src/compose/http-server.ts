import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { ARRIVAL_MS, limitArrivalTime } from "../http/arrival-time.ts";
import { parseBodies } from "../http/bodies.ts";
import { answerUnreadable } from "../http/client-errors.ts";
import { limitConnections } from "../http/connections.ts";
import { allowOrigins } from "../http/cors.ts";
import { answer, answerErrors } from "../http/errors.ts";
import { addCommonHeaders } from "../http/headers.ts";
import { SMALL_BODY } from "../http/input.ts";
import { lingerAfterRefusals } from "../http/linger.ts";
import { collapseSlashes } from "../http/paths.ts";
import { endConnectionsWhenDraining } from "../http/running.ts";
import { logRequests } from "../telemetry/request-log.ts";
import { traceRequests } from "../telemetry/request-trace.ts";
import { traceIdOf } from "../telemetry/trace.ts";
import type { ResolvedParts } from "./app-parts.ts";
import type { Services } from "./services.ts";

/** Fastify with what holds for every route: time limits, headers, logs, traces, errors. */
export function createHttpServer(services: Services, parts: ResolvedParts): FastifyInstance {
  const { config, log, headersTimeoutMs } = parts;
  const { commonHeaders, running } = services;
  const logger: FastifyBaseLogger = log;
  const http: FastifyInstance = fastify({
    loggerInstance: logger,
    genReqId: (request) => traceIdOf(request.headers.traceparent),
    requestIdHeader: false,
    // Forwarding headers count only when they come from these proxies.
    trustProxy: config.trustProxy === undefined ? false : [...config.trustProxy],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    rewriteUrl: (request) => collapseSlashes(request.url ?? "/"),
    // A last resort: bodies have time limits of their own, see `limitArrivalTime` and the uploads.
    requestTimeout: parts.uploadTimeouts.totalMs + ARRIVAL_MS,
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
    clientErrorHandler: answerUnreadable(commonHeaders),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(request.id));
      answer(error, request, reply);
    },
  });
  addCommonHeaders(http, commonHeaders);
  logRequests(http, services.record);
  traceRequests(http, services.tracer);
  allowOrigins(http, config.corsOrigins);
  endConnectionsWhenDraining(http, running);
  limitArrivalTime(http);
  limitConnections(http.server, config.maxConnections, log);
  lingerAfterRefusals(http);
  answerErrors(http);
  parseBodies(http);
  return http;
}
