import type { SpeechPart } from "@parlance/speech";
import type { FastifyRequest } from "fastify";
import type { Charge } from "../services/billing/metering.ts";
import type { Caller } from "../services/identity/keys.ts";
import type { RequestFacts } from "../telemetry/request-log.ts";
import { ClientDisconnected } from "./disconnect.ts";

/** On a route behind `admit`. */
export function payerOf({ caller }: FastifyRequest): Caller {
  if (caller === undefined) throw new Error("the route is not behind admit");
  return caller;
}

/**
 * Closes the charge when the work is aborted: a client that disconnected pays for the audio that was made, an error of the
 * server costs nothing. A charge that was settled before is not changed.
 */
export function closeChargeOnAbort(charge: Charge, signal: AbortSignal, facts: RequestFacts): void {
  const close = (): void => {
    // Not awaited: it handles its own errors, and no client waits for it.
    void (signal.reason instanceof ClientDisconnected ? charge.settleDelivered() : charge.refund());
    if (charge.charged !== undefined) facts.credits = charge.charged;
  };
  if (signal.aborted) close();
  else signal.addEventListener("abort", close, { once: true });
}

/** Adds each chunk of text to the charge once its first audio was made. The chunks together are the whole text. */
export function createSpeechMeter(charge: Charge, priceOf: (text: string) => number): (part: SpeechPart) => void {
  let counted = -1;
  let delivered = 0;
  return ({ chunk, alignment }) => {
    if (alignment === undefined || chunk <= counted) return;
    counted = chunk;
    delivered += priceOf(alignment.text);
    charge.delivered(delivered);
  };
}
