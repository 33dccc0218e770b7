import type { Speech } from "@parlance/speech";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { Config } from "./config.ts";
import { admit } from "./http/admission.ts";
import { parseBodies } from "./http/bodies.ts";
import { answerUnreadable } from "./http/client-errors.ts";
import { answer, answerErrors } from "./http/errors.ts";
import { addCommonHeaders, commonHeaders } from "./http/headers.ts";
import { collapseSlashes } from "./http/paths.ts";
import { createRunning, endConnectionsWhenDraining, type Running } from "./http/running.ts";
import { serveLive } from "./live/sockets.ts";
import { dashboardRoutes } from "./routes/dashboard.ts";
import { docsRoutes } from "./routes/docs.ts";
import { healthRoutes } from "./routes/health.ts";
import { optionsRoute } from "./routes/options.ts";
import { type StreamTimeouts, ttsRoutes } from "./routes/tts.ts";
import { createKeys } from "./services/keys.ts";
import { createLimits } from "./services/limits.ts";
import { createSynthesis } from "./services/synthesis.ts";
import type { Store } from "./stores/store.ts";
import type { Log } from "./telemetry/log.ts";
import { logRequests } from "./telemetry/request-log.ts";
import { traceIdOf } from "./telemetry/trace.ts";

export interface AppParts {
  readonly config: Config;
  readonly speech: Speech;
  readonly store: Store;
  readonly log: Log;
  /** The built web app. */
  readonly dashboard?: string | undefined;
  readonly timeouts?: StreamTimeouts;
  /** How often the peers of live sockets are asked whether they are there. */
  readonly pingMs?: number;
}

export interface App {
  readonly http: FastifyInstance;
  readonly running: Running;
}

/** A long text is read aloud slowly by a player that follows it: minutes may pass between two reads. */
const TIMEOUTS: StreamTimeouts = { engineTimeoutMs: 60_000, readerTimeoutMs: 300_000 };

/** Puts the parts together. Nothing listens yet. */
export function buildApp({ config, speech, store, log, dashboard, timeouts = TIMEOUTS, pingMs }: AppParts): App {
  const logger: FastifyBaseLogger = log;
  const http: FastifyInstance = fastify({
    loggerInstance: logger,
    genReqId: (request) => traceIdOf(request.headers.traceparent),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    rewriteUrl: (request) => collapseSlashes(request.url ?? "/"),
    // A request has to arrive in this time; how long its answer takes is bounded by the stream's own timeouts.
    requestTimeout: 60_000,
    // Draining is answered by our own hook, with a body of the documented form.
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(request.id));
      answer(error, request, reply);
    },
  });
  const running = createRunning();
  const keys = createKeys(store, Date.now, (err) => log.warn({ err }, "the last-used time of a key was not written"));
  const limits = createLimits(config);
  const synthesis = createSynthesis(speech, config.maxTextCharacters);

  addCommonHeaders(http);
  logRequests(http);
  endConnectionsWhenDraining(http, running);
  answerErrors(http);
  parseBodies(http);
  http.register(async (scope) => {
    admit(scope, { keys, limits, running });
    ttsRoutes(scope, { speech, synthesis, running, timeouts });
  });
  healthRoutes(http, { speech, ping: store.ping, running });
  docsRoutes(http);
  dashboardRoutes(http, dashboard);
  optionsRoute(http);
  const idleMs = config.liveIdleSeconds * 1000;
  serveLive(http.server, { speech, synthesis, keys, limits, running, log, idleMs, pingMs, ...timeouts });
  // An open socket would keep the server from closing.
  http.addHook("preClose", async () => running.drain());
  return { http, running };
}
