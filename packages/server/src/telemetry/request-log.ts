import type { TtsRequest } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What a route adds to the one line that is logged for its request. Counts only: never text, audio or keys. */
export interface RequestFacts {
  userId?: string;
  characters?: number;
  audioSeconds?: number;
}

declare module "fastify" {
  interface FastifyRequest {
    facts: RequestFacts;
  }
}

/** How long the audio is, where its bytes tell. */
export function audioSecondsOf(
  { format, sampleRate }: Pick<TtsRequest, "format" | "sampleRate">,
  bytes: number,
): RequestFacts {
  return format === "pcm" || format === "wav"
    ? { audioSeconds: Math.round((bytes / sampleRate / 2) * 1000) / 1000 }
    : {};
}

/** The status in the log of an answer that the caller did not wait for, as nginx counts them. */
export const CLIENT_GONE = 499;

/** One line for each request, when its answer has left or its caller has gone. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest("facts");
  app.addHook("onRequest", async (request, reply) => {
    request.facts = {};
    reply.raw.once("close", () => {
      const complete = reply.raw.writableFinished;
      const status = complete || reply.raw.headersSent ? reply.statusCode : CLIENT_GONE;
      request.log.info(
        {
          method: request.method,
          route: routeOf(request),
          status,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(complete ? {} : { cut: true }),
          ...request.facts,
        },
        "request",
      );
    });
  });
}

/** The route's pattern, not the address: addresses may carry ids and query strings. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "unknown";
}
