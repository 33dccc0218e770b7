import { ApiError, apiError, describeValue, ERROR_CODE_HEADER, shapeError } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorCode } from "../lib/error-code.ts";
import { ObjectStorageError } from "../stores/object-storage.ts";
import { isStorageFull, isUnreachable } from "../stores/store-error.ts";
import { type LogFor, logEvent } from "../telemetry/log-events.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The content types of a route, where they are not the default. */
    readonly accepts?: string;
  }
}

/** The body of an error: requests of other dialects get it in their shape. */
export type ErrorBodyFor = (error: ApiError, request: Pick<FastifyRequest, "url" | "headers" | "id">) => unknown;

/** The one function that turns an error into a response. */
export function handleErrors(app: FastifyInstance, bodyFor: ErrorBodyFor): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, bodyFor));
  app.setNotFoundHandler((request, reply) => sendError(notFound(request), request, reply, bodyFor));
}

export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyFor: ErrorBodyFor,
): FastifyReply {
  const known = toApiError(error, request);
  // The client has disconnected, which stopped the work: no response can be sent.
  const disconnected = request.raw.socket.destroyed;
  if (!disconnected) logFault(request.log, known, error);
  return reply
    .code(known.status)
    .headers(errorHeaders(known))
    .send(JSON.stringify(bodyFor(known, request)));
}

/** Not errors of the server: it is overloaded, shutting down, or still fetching a model. They may be many. */
const REFUSALS: readonly string[] = ["overloaded", "draining", "not_ready"];

/** Logs errors of the server. */
export function logFault(log: LogFor<"request.refused" | "request.failed">, known: ApiError, error: unknown): void {
  if (known.status < 500) return;
  if (REFUSALS.includes(known.code)) {
    const reason = error instanceof Error ? error.message : undefined;
    logEvent(log, "request.refused", { code: known.code, reason });
  } else logEvent(log, "request.failed", { err: error, code: known.code });
}

/** For a response stream: records the failure of its request, and logs it where no error response does. */
export const recordFault =
  (request: Pick<FastifyRequest, "facts" | "log">) =>
  (error: unknown, begun: boolean): void => {
    request.facts.failed = true;
    if (begun) logFault(request.log, asApiError(error), error);
  };

export function errorHeaders(error: ApiError): Readonly<Record<string, string>> {
  return {
    ...error.headers,
    [ERROR_CODE_HEADER]: error.code,
    "content-type": "application/json; charset=utf-8",
    // A client that sends so slowly would only block the connection.
    ...(error.status === 408 ? { connection: "close" } : {}),
    ...(error.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) }),
  };
}

export function notFound({ method, url }: Pick<FastifyRequest, "method" | "url">): ApiError {
  const path = url.split("?", 1)[0] ?? "";
  return apiError("not_found", { method, path: path.slice(0, 200) });
}

/** The error that a client gets for anything thrown. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnreachable(error)) return apiError("unavailable", {}, { retryAfterSeconds: 1, cause: error });
  if (error instanceof ObjectStorageError)
    return apiError("storage_unavailable", {}, { retryAfterSeconds: 5, cause: error });
  if (isStorageFull(error)) return apiError("unavailable", {}, { retryAfterSeconds: 10, cause: error });
  return error instanceof SpeechError ? fromSpeech(error) : apiError("internal", {}, { cause: error });
}

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  switch (errorCode(error)) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return apiError("payload_too_large", { limit: request.routeOptions.bodyLimit ?? 0 });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return apiError("unsupported_media_type", {
        value: describeValue(request.headers["content-type"] ?? "(none)"),
        allowed: request.routeOptions.config.accepts ?? "application/json or application/msgpack",
      });
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return shapeError([
        { loc: ["content-length"], type: "length_mismatch", msg: "The body is shorter or longer", in: "header" },
      ]);
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return notFound(request);
    default:
      return asApiError(error);
  }
}

function fromSpeech(error: SpeechError): ApiError {
  if (error.code === "failed") return apiError("internal", {}, { cause: error });
  const retryAfterSeconds = Math.max(1, Math.ceil(error.retryAfterSeconds ?? 1));
  if (error.code === "not_ready")
    return apiError("not_ready", { missing: error.message }, { retryAfterSeconds, cause: error });
  return apiError(error.code === "closed" ? "draining" : "overloaded", {}, { retryAfterSeconds, cause: error });
}
