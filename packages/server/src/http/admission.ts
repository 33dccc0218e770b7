import { Readable } from "node:stream";
import { apiError } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import type { Keys } from "../services/keys.ts";
import type { Limits, Place } from "../services/limits.ts";
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
export function admit(scope: FastifyInstance, { keys, limits, running }: AdmissionParts): void {
  scope.decorateRequest("place", undefined);
  scope.addHook("onRequest", async (request, reply) => {
    const caller = await keys.authenticate(request.headers.authorization);
    request.facts.userId = caller.userId;
    if (running.draining) throw apiError("draining", {}, { retryAfterSeconds: 5 });
    const place = limits.enter(caller.userId);
    request.place = place;
    reply.raw.once("close", place.release);
    reply.header("ratelimit-limit-concurrency", String(place.limit));
    reply.header("ratelimit-current-concurrency", String(place.current));
  });
  // A caller that has read the whole answer may send the next request before "close" is seen here.
  // Streams give their place back themselves, right before they end.
  scope.addHook("onSend", async (request, _reply, payload) => {
    if (!(payload instanceof Readable)) request.place?.release();
  });
}
