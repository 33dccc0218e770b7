import { apiError, type ErrorCode } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { createSlotsByKey } from "../lib/slots-by-key.ts";
import { callerOf } from "./authenticate.ts";

/** Requests of one account at a time; further ones wait for them, and their bodies are not received before. */
const AT_ONCE = 6;
const MAX_WAITING = 100;
const SLOTS = {
  slots: AT_ONCE,
  maxWaiting: MAX_WAITING,
  onFull: () => apiError("concurrency_limited", { limit: AT_ONCE + MAX_WAITING }, { retryAfterSeconds: 1 }),
};

/**
 * For routes behind `authenticate` whose requests or responses are megabytes: they are in memory or on disk until the client has sent
 * or read them.
 */
export function limitLargeBodies(scope: FastifyInstance): void {
  scope.decorate("routeErrors", ["concurrency_limited"] satisfies ErrorCode[]);
  const accounts = createSlotsByKey(SLOTS);
  scope.addHook("onRequest", async (request, reply) => {
    let leave: (() => void) | undefined;
    reply.raw.once("close", () => leave?.());
    const entered = await accounts.enter(callerOf(request).userId);
    // The client may have disconnected meanwhile.
    if (reply.raw.destroyed) entered();
    else leave = entered;
  });
}
