import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { apiError } from "@parlance/protocol";
import { type Span, withSpan } from "@parlance/speech";
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
    slot: Slot | undefined;
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
  scope.decorateRequest("slot", undefined);
  scope.decorateRequest("caller", undefined);
  scope.addHook("onRequest", async (request, reply) => {
    const disconnect = new AbortController();
    reply.raw.once("close", () => disconnect.abort(new Error("the client has disconnected")));
    const { caller, slot } = await admitCaller(parts, request.raw, request.facts, disconnect.signal, request.admission);
    request.receiving = request.admission.child("receive");
    request.caller = caller;
    request.slot = slot;
    const unwatch = parts.disabledAccounts.watch(caller.userId, () => reply.raw.destroy());
    const release = (): void => {
      unwatch();
      void slot.release();
    };
    if (disconnect.signal.aborted) release();
    else disconnect.signal.addEventListener("abort", release, { once: true });
    reply.headers(slot.headers);
  });
  // A client that has read the whole response may send the next request before "close" is emitted.
  // Streams release their slot themselves, right before they end.
  scope.addHook("onSend", async (request, _reply, payload) => {
    request.receiving.end();
    request.admission.end();
    if (!(payload instanceof Readable)) await request.slot?.release();
  });
}

/** Identifies the caller and acquires a slot. Throws the error when it is refused. */
export async function admitCaller(
  { identify, limits, activeRequests }: Pick<AdmissionParts, "identify" | "limits" | "activeRequests">,
  request: Pick<IncomingMessage, "headers" | "method">,
  facts: RequestFacts,
  signal: AbortSignal,
  trace: Span,
): Promise<{ readonly caller: Caller; readonly slot: Slot }> {
  const caller = await withSpan(trace, "auth", () => identify(request));
  facts.userId = caller.userId;
  facts.keyId = caller.keyId;
  if (activeRequests.draining) throw apiError("draining", {}, { retryAfterSeconds: 5 });
  return { caller, slot: await withSpan(trace, "limits", () => limits.acquire(caller, signal)) };
}
