import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { apiError } from "@parlance/protocol";
import { during, type Span } from "@parlance/speech";
import type { FastifyInstance } from "fastify";
import type { DisabledAccountWatcher } from "../services/identity/disabled-account-watcher.ts";
import type { Caller } from "../services/identity/keys.ts";
import type { Limits, Slot } from "../services/limits/limits.ts";
import type { RequestFacts } from "../telemetry/request-log.ts";
import type { ActiveRequests } from "./active-requests.ts";
import type { Identify } from "./identify.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on routes behind `admit`. */
    place: Slot | undefined;
    /** Set on routes behind `admit` or `authenticate`. */
    caller: Caller | undefined;
  }
}

export interface AdmissionParts {
  readonly identify: Identify;
  readonly limits: Limits;
  readonly disabledAccounts: DisabledAccountWatcher;
  readonly activeRequests: ActiveRequests;
}

/** Key, then rate and concurrency, both before a byte of the body is read. For the routes of this plugin scope. */
export function admit(scope: FastifyInstance, parts: AdmissionParts): void {
  scope.decorateRequest("place", undefined);
  scope.decorateRequest("caller", undefined);
  scope.addHook("onRequest", async (request, reply) => {
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort(new Error("the caller has gone")));
    const { caller, place } = await enter(parts, request.raw, request.facts, gone.signal, request.admission);
    request.receiving = request.admission.child("receive");
    request.caller = caller;
    request.place = place;
    const forget = parts.disabledAccounts.watch(caller.userId, () => reply.raw.destroy());
    const leave = (): void => {
      forget();
      void place.release();
    };
    if (gone.signal.aborted) leave();
    else gone.signal.addEventListener("abort", leave, { once: true });
    reply.headers(place.headers);
  });
  // A caller that has read the whole answer may send the next request before "close" is seen here.
  // Streams give their place back themselves, right before they end.
  scope.addHook("onSend", async (request, _reply, payload) => {
    request.receiving.end();
    request.admission.end();
    if (!(payload instanceof Readable)) await request.place?.release();
  });
}

/** A place for whoever sends this. Throws the refusal. */
export async function enter(
  { identify, limits, activeRequests }: Pick<AdmissionParts, "identify" | "limits" | "activeRequests">,
  request: Pick<IncomingMessage, "headers" | "method">,
  facts: RequestFacts,
  signal: AbortSignal,
  trace: Span,
): Promise<{ readonly caller: Caller; readonly place: Slot }> {
  const caller = await during(trace, "auth", () => identify(request));
  facts.userId = caller.userId;
  facts.keyId = caller.keyId;
  if (activeRequests.draining) throw apiError("draining", {}, { retryAfterSeconds: 5 });
  return { caller, place: await during(trace, "limits", () => limits.acquire(caller, signal)) };
}
