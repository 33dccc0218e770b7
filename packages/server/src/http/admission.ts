import { Readable } from "node:stream";
import { apiError } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import type { Keys } from "../services/keys.ts";
import type { Limits, Place } from "../services/limits.ts";
import type { RequestFacts } from "../telemetry/request-log.ts";
import type { Running } from "./running.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on routes behind `admit`. */
    place: Place | undefined;
  }
}

export interface AdmissionParts {
  readonly keys: Keys;
  readonly limits: Limits;
  readonly running: Running;
}

/** Key, then rate and concurrency, both before a byte of the body is read. For the routes of this plugin scope. */
export function admit(scope: FastifyInstance, parts: AdmissionParts): void {
  scope.decorateRequest("place", undefined);
  scope.addHook("onRequest", async (request, reply) => {
    const place = await enter(parts, request.headers.authorization, request.facts);
    request.place = place;
    reply.raw.once("close", place.release);
    reply.headers(placeHeaders(place));
  });
  // A caller that has read the whole answer may send the next request before "close" is seen here.
  // Streams give their place back themselves, right before they end.
  scope.addHook("onSend", async (request, _reply, payload) => {
    if (!(payload instanceof Readable)) request.place?.release();
  });
}

/** A place for whoever the key belongs to. Throws the refusal. */
export async function enter(
  { keys, limits, running }: AdmissionParts,
  authorization: string | undefined,
  facts: RequestFacts,
): Promise<Place> {
  const caller = await keys.authenticate(authorization);
  facts.userId = caller.userId;
  if (running.draining) throw apiError("draining", {}, { retryAfterSeconds: 5 });
  return limits.enter(caller.userId);
}

export function placeHeaders(place: Place): Readonly<Record<string, string>> {
  return {
    "ratelimit-limit-concurrency": String(place.limit),
    "ratelimit-current-concurrency": String(place.current),
  };
}
