import { ApiError, apiError, describeValue, ERROR_CODE_HEADER, errorBody, shapeError } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The one place where something thrown becomes an answer. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answer(error, request, reply));
  app.setNotFoundHandler((request, reply) => answer(notFound(request), request, reply));
}

export function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toApiError(error, request);
  // Nobody is there to read it: the work was stopped because its caller went away.
  const gone = request.raw.socket.destroyed;
  if (known.status >= 500 && !gone) request.log.error({ err: error, code: known.code }, "request failed");
  reply.code(known.status).header(ERROR_CODE_HEADER, known.code).type("application/json; charset=utf-8");
  if (known.status === 401) reply.header("www-authenticate", "Bearer");
  if (known.retryAfterSeconds !== undefined) reply.header("retry-after", String(known.retryAfterSeconds));
  return reply.send(JSON.stringify(errorBody(known)));
}

function notFound(request: FastifyRequest): ApiError {
  const path = request.url.split("?", 1)[0] ?? "";
  return apiError("not_found", { method: request.method, path: path.slice(0, 200) });
}

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof SpeechError) return fromSpeech(error);
  switch (codeOf(error)) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return apiError("payload_too_large", { limit: request.routeOptions.bodyLimit ?? 0 });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return apiError("unsupported_media_type", {
        value: describeValue(request.headers["content-type"] ?? "(none)"),
        allowed: "application/json or application/msgpack",
      });
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return shapeError([
        { loc: ["content-length"], type: "length_mismatch", msg: "The body is shorter or longer", in: "header" },
      ]);
    case "FST_ERR_BAD_URL":
      return notFound(request);
    default:
      return apiError("internal", {}, { cause: error });
  }
}

function fromSpeech(error: SpeechError): ApiError {
  if (error.code === "failed") return apiError("internal", {}, { cause: error });
  const retryAfterSeconds = Math.max(1, Math.ceil(error.retryAfterSeconds ?? 1));
  return apiError(error.code === "closed" ? "draining" : "overloaded", {}, { retryAfterSeconds, cause: error });
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
