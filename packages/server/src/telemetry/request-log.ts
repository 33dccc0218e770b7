import { ERROR_CODE_HEADER, type Operation } from "@parlance/protocol";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";

/** What a route adds to the one line that is logged for its request. Counts only: never text, audio or keys. */
export interface RequestFacts {
  userId?: string;
  /** Undefined when it came with the dashboard's session. */
  keyId?: string | undefined;
  /** What kind of inference it was, if any. */
  operation?: Operation | undefined;
  characters?: number;
  audioSeconds?: number;
  firstAudioMs?: number;
  /** What was charged for it. */
  credits?: number;
  /** It broke off by a fault of ours after it had begun well. */
  failed?: true;
}

declare module "fastify" {
  interface FastifyRequest {
    facts: RequestFacts;
  }
  interface FastifyContextConfig {
    /** For routes that make or understand speech: as what their requests are counted. */
    readonly operation?: Operation;
  }
}

export interface RequestEnd {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The caller did not get all of it. */
  readonly cut?: true;
  /** Why it was refused or failed, as in the header `x-error-code`. */
  readonly code?: string | undefined;
}

/** Where the facts of a request go when it is over: into the log and, as statistics, to whoever counts. */
export type RecordRequest = (log: Pick<FastifyBaseLogger, "info">, end: RequestEnd, facts: RequestFacts) => void;

export function createRequestRecord(
  count: (request: RequestFacts & { readonly status: number }) => void,
  measure: (end: RequestEnd, facts: RequestFacts) => void = () => {},
): RecordRequest {
  return (log, end, facts) => {
    log.info({ ...end, ...facts }, "request");
    count({ ...facts, status: end.status });
    measure(end, facts);
  };
}

/** The status in the log of an answer that the caller did not wait for, as nginx counts them. */
export const CLIENT_GONE = 499;

/** One line for each request, when its answer has left or its caller has gone. */
export function logRequests(app: FastifyInstance, record: RecordRequest): void {
  app.decorateRequest("facts");
  app.addHook("onRequest", async (request, reply) => {
    const { operation } = request.routeOptions.config;
    request.facts = operation === undefined ? {} : { operation };
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
      // Others hear of the end after this, and may still have something to add, such as what it has cost.
      setImmediate(() => record(request.log, end, request.facts));
    });
  });
}

/** The route's pattern, not the address: addresses may carry ids and query strings. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "unknown";
}
