import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { errorBody, LIMITS, LIVE_PATH, LIVE_TIMESTAMPS_PATH, shapeError } from "@parlance/protocol";
import { WebSocketServer } from "ws";
import { enter, placeHeaders } from "../http/admission.ts";
import { asApiError, errorHeaders, notFound } from "../http/errors.ts";
import { commonHeaders } from "../http/headers.ts";
import { collapseSlashes } from "../http/paths.ts";
import { answerRaw } from "../http/raw-answer.ts";
import type { Keys } from "../services/keys.ts";
import type { Log } from "../telemetry/log.ts";
import type { RequestFacts } from "../telemetry/request-log.ts";
import { traceIdOf } from "../telemetry/trace.ts";
import { watchPeers } from "./heartbeat.ts";
import { LiveSocket } from "./live-socket.ts";
import { continueAsHttp, wantsWebSocket } from "./other-upgrades.ts";
import { openSession, type SessionParts } from "./session.ts";

export interface LiveParts extends SessionParts {
  readonly keys: Keys;
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
    maxPayload: LIMITS.liveFrameBytes,
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
    const facts: RequestFacts = {};
    const url = collapseSlashes(request.url ?? "/");
    const route = url.split("?", 1)[0] ?? "/";
    const refuse = (error: unknown): void => {
      const known = asApiError(error);
      if (known.status >= 500) log.error({ err: error, code: known.code }, "request failed");
      const ms = Math.round((performance.now() - started) * 10) / 10;
      log.info(
        { method: "WS", route: known.status === 404 ? "unknown" : route, status: known.status, ms, ...facts },
        "request",
      );
      answerRaw(socket, known.status, { ...commonHeaders(traceId), ...errorHeaders(known) }, errorBody(known));
    };
    refusals.set(request, refuse);
    try {
      if (route !== LIVE_PATH && route !== LIVE_TIMESTAMPS_PATH)
        throw notFound({ method: request.method ?? "GET", url });
      const place = await enter(parts, request.headers.authorization, facts);
      // Whatever becomes of the socket, the place does not outlive it.
      socket.once("close", place.release);
      if (socket.destroyed) {
        place.release();
        return;
      }
      answers.set(request, { ...commonHeaders(traceId), ...placeHeaders(place) });
      const { model } = request.headers;
      sockets.handleUpgrade(request, socket, head, (live) => {
        watch(live);
        openSession(live, parts, {
          userId: facts.userId ?? "",
          place,
          model: typeof model === "string" ? model : undefined,
          route,
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
