import { apiError } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { createSlots, type Slots } from "../lib/slots.ts";
import { callerOf } from "./authenticate.ts";

/** Responses of one account that are being made or read; further requests wait for them. */
const AT_ONCE = 6;
const MAX_WAITING = 100;

interface Account {
  readonly slots: Slots;
  requests: number;
}

/** For routes behind `authenticate` whose responses are megabytes: they are in memory until the client has read them. */
export function limitLargeResponses(scope: FastifyInstance): void {
  const accounts = new Map<string, Account>();
  const onFull = () => apiError("concurrency_limited", { limit: AT_ONCE + MAX_WAITING }, { retryAfterSeconds: 1 });
  scope.addHook("onRequest", async (request, reply) => {
    const { userId } = callerOf(request);
    const slots = createSlots({ slots: AT_ONCE, maxWaiting: MAX_WAITING, onFull });
    const account = accounts.get(userId) ?? { slots, requests: 0 };
    accounts.set(userId, account);
    account.requests += 1;
    let leave: (() => void) | undefined;
    reply.raw.once("close", () => {
      leave?.();
      account.requests -= 1;
      if (account.requests === 0) accounts.delete(userId);
    });
    const entered = await account.slots.enter();
    // The client may have disconnected meanwhile.
    if (reply.raw.closed) entered();
    else leave = entered;
  });
}
