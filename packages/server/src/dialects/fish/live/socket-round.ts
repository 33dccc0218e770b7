import { ApiError, apiError } from "@parlance/protocol";
import { withSpan } from "@parlance/speech";
import { asApiError, logFault } from "../../../http/errors.ts";
import { createChunkCharges } from "../../../services/billing/chunk-charges.ts";
import { CLIENT_GONE, type RequestFacts } from "../../../telemetry/request-log.ts";
import { Interruption, type Round, type RoundParts, speakRound } from "./round.ts";
import type { SessionOptions, SessionParts } from "./session-parts.ts";
import type { SessionSlot } from "./session-slot.ts";

/** What the socket of a dialect adds to a round. */
export interface SocketRoundParts
  extends Pick<RoundParts, "model" | "withTimestamps" | "bitrates" | "send" | "onIdle"> {
  readonly dialect: string;
  readonly slot: SessionSlot;
  /** Aborted when the socket has closed. */
  readonly closed: AbortSignal;
}

/**
 * Speaks a round of a socket, and writes its log line, its metrics and its trace. Resolves with the error, if it failed.
 * A socket may be open for long, so the key is checked again for each round.
 */
export async function performRound(
  round: Round,
  parts: SessionParts,
  options: SessionOptions,
  { dialect, slot, closed, ...own }: SocketRoundParts,
): Promise<ApiError | undefined> {
  const { caller, identify, log, route, traceId } = options;
  const { signal } = round.controller;
  const facts: RequestFacts = { userId: caller.userId, keyId: caller.keyId, operation: "live", dialect };
  const trace = options.trace.follow("round", performance.timeOrigin + round.startedAt);
  const speak = async (): Promise<void> => {
    signal.throwIfAborted();
    if (parts.activeRequests.draining) throw apiError("draining", {});
    const payer = await withSpan(trace, "admission", (admission) => withSpan(admission, "auth", identify));
    const acquire = () =>
      withSpan(trace, "admission", async (admission) => {
        const found = await withSpan(admission, "auth", identify);
        return withSpan(admission, "limits", () => parts.limits.acquire(found, signal));
      });
    const takeSlot = () => slot.take(acquire, round.controller);
    const charges = createChunkCharges(parts.metering, payer, traceId);
    await speakRound(round, { ...parts, ...own, caller: payer, charges, trace, takeSlot }, facts);
  };
  let fault: ApiError | undefined;
  try {
    await speak();
  } catch (error) {
    const { reason } = signal;
    if (!(reason instanceof Interruption)) {
      fault = reason instanceof ApiError ? reason : asApiError(error);
      if (!closed.aborted) logFault(log, fault, error);
    }
  }
  const status = closed.aborted ? CLIENT_GONE : (fault?.status ?? 200);
  const ms = Math.round((performance.now() - round.startedAt) * 10) / 10;
  const code = fault === undefined || closed.aborted ? {} : { code: fault.code };
  parts.record(log, { method: "WS", route, status, ms, ...code }, facts);
  trace.finish({ ...facts, status, ok: status === 200, error: closed.aborted ? "cut" : fault?.code });
  return fault;
}
