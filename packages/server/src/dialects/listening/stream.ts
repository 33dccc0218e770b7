import { ApiError, apiError, LIMITS, type ListenRequest } from "@parlance/protocol";
import { AudioError, type Listening, type ListeningEvent, withSpan } from "@parlance/speech";
import { asApiError, logFault } from "../../http/errors.ts";
import { createAudioCharges } from "../../services/billing/audio-charges.ts";
import { CLIENT_GONE, type RequestFacts } from "../../telemetry/request-log.ts";
import type { SessionOptions, SessionParts } from "../fish/live/session-parts.ts";
import { createSessionSlot, type SessionSlot } from "../fish/live/session-slot.ts";

export interface StreamOptions {
  readonly dialect: string;
  readonly request: ListenRequest;
  /** The slot to hold to the end. Left out: that of the upgrade. */
  readonly slot?: SessionSlot;
  /** Aborted when the socket has closed. */
  readonly closed: AbortSignal;
  /** Resolves when the event has left. */
  readonly onEvent: (event: ListeningEvent) => Promise<void>;
}

/** One stream of audio on a socket, of any dialect. */
export interface ListenStream {
  push(audio: Uint8Array): void;
  flush(): void;
  end(): void;
  /** Seconds of audio so far. */
  readonly seconds: number;
  /** Whether the client should not be read for now. */
  readonly isFull: boolean;
  /** Resolves at the end, with the error if it failed. */
  readonly done: Promise<ApiError | undefined>;
}

/** Input that comes before the stream is admitted. */
const MAX_EARLY_BYTES = 1024 * 1024;

/**
 * Recognizes a stream, charges for it, and writes its log line, its metrics and its trace. The slot of the account is held
 * to its end.
 */
export function openStream(parts: SessionParts, options: SessionOptions, stream: StreamOptions): ListenStream {
  const { identify, log, route, traceId } = options;
  const startedAt = performance.now();
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, stream.closed]);
  const trace = options.trace.follow("listen", performance.timeOrigin + startedAt);
  const facts: RequestFacts = {
    userId: options.caller.userId,
    keyId: options.caller.keyId,
    operation: "asr",
    dialect: stream.dialect,
  };
  const slot = stream.slot ?? createSessionSlot(options.slot, parts.activeRequests, () => {});
  let listening: Listening | undefined;
  let early: (Uint8Array | "flush" | "end")[] = [];
  let earlyBytes = 0;
  let charges: ReturnType<typeof createAudioCharges> | undefined;

  function take(input: Uint8Array | "flush" | "end"): void {
    if (signal.aborted) return;
    if (listening === undefined) {
      early.push(input);
      earlyBytes += 32 + input.length;
    } else if (input === "flush") listening.flush();
    else if (input === "end") listening.end();
    else add(listening, input);
  }

  function add(to: Listening, audio: Uint8Array): void {
    try {
      to.push(audio);
      if (to.seconds > LIMITS.listenSeconds) {
        const length = `${Math.floor(to.seconds)} s`;
        throw apiError("audio_too_long", { length, limit: LIMITS.listenSeconds });
      }
      charges?.reach(to.seconds).catch((error: unknown) => controller.abort(error));
    } catch (error) {
      controller.abort(error);
    }
  }

  async function run(): Promise<void> {
    if (parts.activeRequests.draining) throw apiError("draining", {});
    const payer = await withSpan(trace, "admission", async (admission) => {
      const found = await withSpan(admission, "auth", identify);
      const acquire = () => withSpan(admission, "limits", () => parts.limits.acquire(found, signal));
      await slot.take(acquire, controller);
      return found;
    });
    const opened = createAudioCharges(parts.metering, payer, traceId);
    let how: "done" | "stopped" | "failed" = "failed";
    try {
      await withSpan(trace, "credit", () => opened.reach(0));
      listening = await parts.transcription.listen(stream.request, signal, trace);
      charges = opened;
      const waiting = early;
      [early, earlyBytes] = [[], 0];
      for (const input of waiting) take(input);
      for await (const event of listening) {
        if (event.type === "partial" || event.type === "final") facts.firstAudioMs ??= sinceStart();
        await stream.onEvent(event);
      }
      how = "done";
    } catch (error) {
      if (signal.aborted) how = "stopped";
      throw error;
    } finally {
      const seconds = listening?.seconds ?? 0;
      facts.audioSeconds = Math.round(seconds * 1000) / 1000;
      controller.abort(new Error("the stream has ended"));
      await opened.end(seconds, how).finally(() => {
        facts.credits = opened.charged;
      });
    }
  }

  const sinceStart = (): number => Math.round(performance.now() - startedAt);

  async function perform(): Promise<ApiError | undefined> {
    let fault: ApiError | undefined;
    try {
      await run();
    } catch (error) {
      const { reason } = controller.signal;
      fault = reason instanceof ApiError ? reason : toApiError(error);
      if (!stream.closed.aborted) logFault(log, fault, error);
    }
    // Before the client is notified: it may start again at once.
    await slot.release();
    const isGone = stream.closed.aborted;
    const status = isGone ? CLIENT_GONE : (fault?.status ?? 200);
    const code = fault === undefined || isGone ? {} : { code: fault.code };
    parts.record(log, { method: "WS", route, status, ms: sinceStart(), ...code }, facts);
    trace.finish({ ...facts, status, ok: status === 200, error: isGone ? "cut" : fault?.code });
    return fault;
  }

  return {
    push: take,
    flush: () => take("flush"),
    end: () => take("end"),
    get seconds() {
      return listening?.seconds ?? 0;
    },
    get isFull() {
      if (listening === undefined) return earlyBytes > MAX_EARLY_BYTES;
      return listening.isFull || listening.seconds > (charges?.reserved ?? 0);
    },
    done: perform(),
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof AudioError) return apiError("audio_undecodable", { reason: error.message }, { cause: error });
  return asApiError(error);
}
