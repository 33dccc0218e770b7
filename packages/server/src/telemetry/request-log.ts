import { ERROR_CODE_HEADER, type Operation } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type LogFor, logEvent } from "./log-events.ts";

/** Fields that a route adds to the log line of its request. Counts only: never text, audio or keys. */
export interface RequestFacts {
  userId?: string;
  /** Undefined when the request has a session instead of a key. */
  keyId?: string | undefined;
  /** The kind of inference, if any. */
  operation?: Operation | undefined;
  /** The dialect of the request. Undefined on routes without one. */
  dialect?: string | undefined;
  characters?: number;
  audioSeconds?: number;
  firstAudioMs?: number;
  /** The credits charged. */
  credits?: number;
  /** It failed because of a fault of the service after the response had started. */
  failed?: true;
  /** The client closed the connection before the end of the response. */
  disconnected?: true;
}

declare module "fastify" {
  interface FastifyRequest {
    facts: RequestFacts;
  }
  interface FastifyContextConfig {
    /** For routes with inference: the operation that their requests are counted as. */
    readonly operation?: Operation;
  }
}

export interface RequestEnd {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The client did not get the whole response. */
  readonly cut?: true;
  /** The error code, as in the header `x-error-code`. */
  readonly code?: string | undefined;
}

/** Writes a finished request to the log, the usage counts and the metrics. */
export type RecordRequest = (log: LogFor<"request.finished">, end: RequestEnd, facts: RequestFacts) => void;

export function createRequestRecord(
  count: (request: RequestFacts & { readonly status: number }) => void,
  measure: (end: RequestEnd, facts: RequestFacts) => void = () => {},
): RecordRequest {
  return (log, end, facts) => {
    logEvent(log, "request.finished", { ...end, ...facts });
    count({ ...facts, status: end.status });
    measure(end, facts);
  };
}

/** The logged status when the client disconnects before the response, as in nginx. */
export const CLIENT_GONE = 499;

/** Logs one line for each request, when its response is sent or its client has disconnected. */
export function logRequests(
  app: FastifyInstance,
  record: RecordRequest,
  dialectOf: (request: FastifyRequest) => string | undefined = () => undefined,
): void {
  app.decorateRequest("facts");
  app.addHook("onRequest", async (request, reply) => {
    const { operation } = request.routeOptions.config;
    const dialect = dialectOf(request);
    request.facts = {
      ...(operation === undefined ? {} : { operation }),
      ...(dialect === undefined ? {} : { dialect }),
    };
    reply.raw.once("close", () => {
      const complete = reply.raw.writableFinished;
      const code = reply.getHeader(ERROR_CODE_HEADER);
      const end: RequestEnd = {
        method: request.method,
        route: routeOf(request),
        status: complete || reply.raw.headersSent ? reply.statusCode : CLIENT_GONE,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(complete ? {} : { cut: true }),
        ...(typeof code === "string" ? { code } : {}),
      };
      // Other listeners run after this one and may still add fields, such as the charge.
      setImmediate(() => record(request.log, end, request.facts));
    });
  });
}

/** The pattern of the route, since paths may contain ids and query strings. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "unknown";
}
