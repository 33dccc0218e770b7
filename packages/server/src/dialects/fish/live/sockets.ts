import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import {
  type ApiError,
  findModel,
  LIMITS,
  LIVE_PATH,
  LIVE_TIMESTAMPS_PATH,
  liveModel,
  MODEL_HEADER,
  type Operation,
  shapeError,
  spokenModel,
} from "@parlance/protocol";
import { takeTurn, withSpan } from "@parlance/speech";
import { WebSocketServer } from "ws";
import { admitCaller } from "../../../http/admission.ts";
import { asApiError, errorHeaders, logFault, notFound } from "../../../http/errors.ts";
import type { CommonHeaders } from "../../../http/headers.ts";
import type { Identify } from "../../../http/identify.ts";
import { collapseSlashes } from "../../../http/paths.ts";
import { sendRawResponse } from "../../../http/raw-response.ts";
import type { Log } from "../../../telemetry/log.ts";
import { CLIENT_GONE, type RequestFacts } from "../../../telemetry/request-log.ts";
import { remoteParentOf, traceIdOf } from "../../../telemetry/trace.ts";
import { noRequestSpan, type RequestSpan, type Tracer } from "../../../telemetry/tracer.ts";
import { createFrameBudget, type SocketBudget } from "./frame-budget.ts";
import { createHeartbeat } from "./heartbeat.ts";
import {
  closeRefused,
  createUnknownCallers,
  hasCredentials,
  LATE_KEY_LIMITS,
  type LateKey,
  receiveKey,
} from "./late-key.ts";
import { LiveSocket } from "./live-socket.ts";
import { openSession } from "./session.ts";
import type { SessionOptions, SessionParts } from "./session-parts.ts";
import { continueAsHttp, isWebSocketUpgrade } from "./upgrade-requests.ts";

/** A socket of another dialect. */
export interface SocketRoute {
  readonly dialect: string;
  /** What its upgrade is counted as; `live` by default. */
  readonly operation?: Operation;
  /** The pattern of its path, without ids. */
  readonly route: string;
  open(socket: LiveSocket, parts: SessionParts, options: SessionOptions): void;
  /** Why it cannot be used now. */
  readonly refusal?: ApiError;
  /** Where clients that cannot set headers put their key. */
  readonly lateKey?: LateKey;
}

export interface LiveParts extends SessionParts {
  /** Undefined for paths that are not sockets of other dialects. */
  readonly findRoute: (url: string) => SocketRoute | undefined;
  readonly errorBodyFor: (
    error: ApiError,
    target: Pick<IncomingMessage, "headers"> & { readonly url: string },
  ) => unknown;
  readonly identify: Identify;
  readonly commonHeaders: CommonHeaders;
  readonly tracer: Tracer;
  readonly log: Log;
  readonly socketsPerAccount: number;
  /** The interval of the pings. */
  readonly pingMs?: number | undefined;
  /** Reverse proxies, whose connections belong to many clients. */
  readonly trustProxy?: readonly string[] | undefined;
  /** How long a socket may be open without the key of its client. */
  readonly lateKeyMs?: number | undefined;
}

/** Handles the upgrades of a server: WS /v1/tts/live and …/with-timestamp. A refused one gets an HTTP response. */
export function serveLive(server: Server, parts: LiveParts): void {
  const { commonHeaders } = parts;
  const sockets = new WebSocketServer({
    noServer: true,
    WebSocket: LiveSocket,
    // Speech does not compress, and a window for each socket would cost more memory than all else together.
    perMessageDeflate: false,
    maxPayload: LIMITS.liveStartBytes,
    maxFragments: LIMITS.messageFragments,
    autoPong: false,
    // One frame in each turn of the event loop: thousands may arrive in one packet.
    allowSynchronousEvents: false,
  });
  /** The headers of the 101 response. */
  const upgradeHeaders = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();
  sockets.on("headers", (lines, request) => {
    for (const [name, value] of Object.entries(upgradeHeaders.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  const refusals = new WeakMap<IncomingMessage, (error: unknown) => void>();
  sockets.on("wsClientError", (error, _socket, request) => {
    refusals.get(request)?.(shapeError([{ loc: ["upgrade"], type: "value_error", msg: error.message, in: "header" }]));
  });
  const addHeartbeat = createHeartbeat(server, parts.readerTimeoutMs, parts.pingMs);

  const frameBudget = createFrameBudget(parts);
  const { lateKeyMs = LATE_KEY_LIMITS.milliseconds } = parts;
  const unknownCallers = createUnknownCallers(lateKeyMs, parts.trustProxy);
  const openBudget = (userId: string, signal: AbortSignal): SocketBudget => {
    const budget = frameBudget.open(userId);
    if (signal.aborted) budget.release();
    else signal.addEventListener("abort", budget.release, { once: true });
    return budget;
  };

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const started = performance.now();
    const traceId = traceIdOf(request.headers.traceparent);
    const log = parts.log.child({ traceId });
    let trace: RequestSpan = noRequestSpan;
    const url = collapseSlashes(request.url ?? "/");
    const path = url.split("?", 1)[0] ?? "/";
    const other = parts.findRoute(url);
    const route = other?.route ?? path;
    const operation = other?.operation ?? "live";
    const facts: RequestFacts = { operation, dialect: other?.dialect ?? "fish" };
    const reportRefusal = (error: unknown): ApiError => {
      const known = asApiError(error);
      logFault(log, known, error);
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const { status, code } = known;
      const end = { method: "WS", route: status === 404 ? "unknown" : route, status, ms, code };
      parts.record(log, end, facts);
      trace.finish({ ...facts, status, ok: false, error: code });
      return known;
    };
    const refuse = (error: unknown): void => {
      const known = reportRefusal(error);
      sendRawResponse(
        socket,
        known.status,
        { ...commonHeaders(traceId), ...errorHeaders(known) },
        parts.errorBodyFor(known, { url, headers: request.headers }),
      );
    };
    refusals.set(request, refuse);
    try {
      if (other === undefined && path !== LIVE_PATH && path !== LIVE_TIMESTAMPS_PATH)
        throw notFound({ method: request.method ?? "GET", url });
      if (other?.refusal !== undefined) throw other.refusal;
      const parent = remoteParentOf(request.headers);
      trace = parts.tracer.begin({ route: `WS ${route}`, operation, traceId, parent });
      const disconnect = new AbortController();
      socket.once("close", () => {
        disconnect.abort(new Error("the client has disconnected"));
        // No effect once it has finished.
        trace.finish({ ...facts, status: CLIENT_GONE, ok: false, error: "cut" });
      });
      const admit = (identity: Parameters<Identify>[0]) =>
        withSpan(trace, "admission", async (admission) => {
          const admitted = await admitCaller(parts, identity, facts, disconnect.signal, admission);
          // The slot is released with the socket in any case.
          disconnect.signal.addEventListener("abort", () => void admitted.slot.release());
          try {
            await withSpan(admission, "credit", () => parts.metering.requireCredit(admitted.caller));
            return { ...admitted, budget: openBudget(admitted.caller.userId, disconnect.signal) };
          } catch (error) {
            await admitted.slot.release();
            throw error;
          }
        });
      const model = typeof request.headers.model === "string" ? request.headers.model : undefined;
      const start = (
        live: LiveSocket,
        identity: Parameters<Identify>[0],
        admitted: Awaited<ReturnType<typeof admit>>,
      ): void => {
        trace.finish({ ...facts, status: 101, ok: true });
        const open = other?.open ?? openSession;
        open(live, parts, {
          ...admitted,
          identify: () => parts.identify(identity),
          model,
          stream: socket,
          route,
          traceId,
          trace,
          withTimestamps: route === LIVE_TIMESTAMPS_PATH,
          log,
        });
      };
      const lateKey = hasCredentials(request.headers) ? undefined : other?.lateKey;
      if (lateKey !== undefined && lateKey.inAddress === undefined) {
        const pending = unknownCallers.open(request.socket.remoteAddress);
        disconnect.signal.addEventListener("abort", pending.release, { once: true });
        upgradeHeaders.set(request, commonHeaders(traceId));
        sockets.handleUpgrade(request, socket, head, async (live) => {
          try {
            addHeartbeat(live);
            const first = await receiveKey(live, socket, pending, parts.activeRequests, lateKey.inMessage, lateKeyMs);
            const identity = withKey(first.authorization, url);
            const admitted = await admit(identity);
            if (socket.destroyed) return void admitted.slot.release();
            start(live, identity, admitted);
            first.replay();
          } catch (error) {
            if (!socket.destroyed) lateKey.sendError(live, reportRefusal(error));
            closeRefused(live);
          }
        });
        return;
      }
      const identity = lateKey?.inAddress === undefined ? request : withKey(lateKey.inAddress, url);
      const admitted = await admit(identity);
      const { slot } = admitted;
      if (socket.destroyed) {
        void slot.release();
        return;
      }
      upgradeHeaders.set(request, { ...commonHeaders(traceId), ...slot.headers, ...modelHeader(model, parts) });
      // Before the response, because the client may retry at once.
      refusals.set(request, (error) => void slot.release().then(() => refuse(error)));
      sockets.handleUpgrade(request, socket, head, (live) => {
        addHeartbeat(live);
        start(live, identity, admitted);
      });
    } catch (error) {
      refuse(error);
    }
  };

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isWebSocketUpgrade(request)) {
      socket.on("error", () => socket.destroy());
      // Hundreds may arrive at once; a client that has left meanwhile gets no slot.
      void takeTurn().then(() => (socket.destroyed ? undefined : upgrade(request, socket, head)));
    } else continueAsHttp(server, request, socket, head);
  });
}

/** An unknown model is refused with the `start`. */
function modelHeader(model: string | undefined, { synthesis }: LiveParts): Readonly<Record<string, string>> {
  const rules = synthesis.rules();
  const found = findModel(liveModel(model, rules), rules);
  return found === undefined ? {} : { [MODEL_HEADER]: spokenModel(found) };
}

/** A request with this `Authorization` header, as far as the caller is identified by it. The scopes of a key go by the path. */
function withKey(authorization: string, url: string): Parameters<Identify>[0] {
  return { headers: { authorization }, method: "GET", url };
}
