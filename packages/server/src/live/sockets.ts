import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { errorBody, LIMITS, LIVE_PATH, LIVE_TIMESTAMPS_PATH, shapeError } from "@parlance/protocol";
import { WebSocketServer } from "ws";
import { enter } from "../http/admission.ts";
import { asApiError, errorHeaders, notFound } from "../http/errors.ts";
import { commonHeaders } from "../http/headers.ts";
import type { Identify } from "../http/identify.ts";
import { collapseSlashes } from "../http/paths.ts";
import { answerRaw } from "../http/raw-answer.ts";
import type { Log } from "../telemetry/log.ts";
import type { RequestFacts } from "../telemetry/request-log.ts";
import { traceIdOf } from "../telemetry/trace.ts";
import { watchPeers } from "./heartbeat.ts";
import { LiveSocket } from "./live-socket.ts";
import { continueAsHttp, wantsWebSocket } from "./other-upgrades.ts";
import { openSession, type SessionParts } from "./session.ts";

export interface LiveParts extends SessionParts {
  readonly identify: Identify;
  readonly log: Log;
  /** How often peers are asked whether they are there. */
  readonly pingMs?: number | undefined;
}

/** Takes the upgrades of a server: WS /v1/tts/live and …/with-timestamp. Whatever is refused gets an HTTP answer. */
export function serveLive(server: Server, parts: LiveParts): void {
  const sockets = new WebSocketServer({
    noServer: true,
    WebSocket: LiveSocket,
    // Speech does not compress, and a window for each socket would cost more memory than all else together.
    perMessageDeflate: false,
    maxPayload: LIMITS.liveStartBytes,
    autoPong: false,
  });
  /** What goes along with the 101. */
  const answers = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();
  sockets.on("headers", (lines, request) => {
    for (const [name, value] of Object.entries(answers.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  const refusals = new WeakMap<IncomingMessage, (error: unknown) => void>();
  sockets.on("wsClientError", (error, _socket, request) => {
    refusals.get(request)?.(shapeError([{ loc: ["upgrade"], type: "value_error", msg: error.message, in: "header" }]));
  });
  const watch = watchPeers(server, parts.readerTimeoutMs, parts.pingMs);

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const started = performance.now();
    const traceId = traceIdOf(request.headers.traceparent);
    const log = parts.log.child({ traceId });
    const facts: RequestFacts = { operation: "live" };
    const url = collapseSlashes(request.url ?? "/");
    const route = url.split("?", 1)[0] ?? "/";
    const refuse = (error: unknown): void => {
      const known = asApiError(error);
      if (known.status >= 500) log.error({ err: error, code: known.code }, "request failed");
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const end = { method: "WS", route: known.status === 404 ? "unknown" : route, status: known.status, ms };
      parts.record(log, end, facts);
      answerRaw(socket, known.status, { ...commonHeaders(traceId), ...errorHeaders(known) }, errorBody(known));
    };
    refusals.set(request, refuse);
    try {
      if (route !== LIVE_PATH && route !== LIVE_TIMESTAMPS_PATH)
        throw notFound({ method: request.method ?? "GET", url });
      const gone = new AbortController();
      socket.once("close", () => gone.abort(new Error("the caller has gone")));
      const { caller, place } = await enter(parts, request, facts, gone.signal);
      // Whatever becomes of the socket, the place does not outlive it.
      gone.signal.addEventListener("abort", () => void place.release());
      try {
        await parts.metering.requireCredit(caller);
      } catch (error) {
        await place.release();
        throw error;
      }
      if (socket.destroyed) {
        void place.release();
        return;
      }
      answers.set(request, { ...commonHeaders(traceId), ...place.headers });
      const { model } = request.headers;
      sockets.handleUpgrade(request, socket, head, (live) => {
        watch(live);
        openSession(live, parts, {
          caller,
          identify: () => parts.identify(request),
          place,
          model: typeof model === "string" ? model : undefined,
          route,
          traceId,
          withTimestamps: route === LIVE_TIMESTAMPS_PATH,
          log,
        });
      });
    } catch (error) {
      refuse(error);
    }
  };

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (wantsWebSocket(request)) {
      socket.on("error", () => socket.destroy());
      void upgrade(request, socket, head);
    } else continueAsHttp(server, request, socket, head);
  });
}
