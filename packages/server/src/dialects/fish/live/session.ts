import type { Duplex } from "node:stream";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { ApiError, apiError, decodeClientFrame, type FinishFrame, isUnreadable, LIMITS } from "@parlance/protocol";
import { type Span, type Speech, withSpan } from "@parlance/speech";
import type { ActiveRequests } from "../../../http/active-requests.ts";
import { asApiError, logFault } from "../../../http/errors.ts";
import { createChunkCharges } from "../../../services/billing/chunk-charges.ts";
import type { Metering } from "../../../services/billing/metering.ts";
import type { DisabledAccountWatcher } from "../../../services/identity/disabled-account-watcher.ts";
import type { Caller } from "../../../services/identity/keys.ts";
import type { Limits, Slot } from "../../../services/limits/limits.ts";
import type { Synthesis } from "../../../services/speech/synthesis.ts";
import type { Log } from "../../../telemetry/log.ts";
import { logEvent } from "../../../telemetry/log-events.ts";
import { CLIENT_GONE, type RecordRequest, type RequestFacts } from "../../../telemetry/request-log.ts";
import type { RequestSpan } from "../../../telemetry/tracer.ts";
import type { SocketBudget } from "./frame-budget.ts";
import { createFrameGap } from "./frame-gap.ts";
import { CLOSE, FAULT_REASONS, type LiveSocket, send, sendNow, whenAnswered } from "./live-socket.ts";
import { type Round, speakRound } from "./round.ts";
import { createRoundQueue, type Task } from "./round-queue.ts";
import { createRoundRate } from "./round-rate.ts";
import { createSessionSlot } from "./session-slot.ts";

export interface SessionParts {
  readonly speech: Speech;
  readonly synthesis: Synthesis;
  readonly metering: Metering;
  readonly limits: Limits;
  readonly disabledAccounts: DisabledAccountWatcher;
  readonly activeRequests: ActiveRequests;
  readonly record: RecordRequest;
  readonly engineTimeoutMs: number;
  readonly readerTimeoutMs: number;
  readonly idleMs: number;
}

/** The caller and the options of one socket. */
export interface SessionOptions {
  readonly caller: Caller;
  /** Identifies the caller again. Throws the 401 when the key was revoked or the session has ended. */
  readonly identify: () => Promise<Caller>;
  /** The slot that was acquired with the upgrade, for the first round. */
  readonly slot: Slot;
  /** The connection below the socket. */
  readonly stream: Duplex;
  readonly budget: SocketBudget;
  readonly model: string | undefined;
  readonly route: string;
  readonly traceId: string;
  /** The span of the upgrade. Each round has its own below it. */
  readonly trace: RequestSpan;
  readonly withTimestamps: boolean;
  readonly log: Log;
}

/** With more text queued, the socket is paused until some of it was spoken. */
const MAX_PENDING_SIZE = 32 * 1024;
/** How long a client may take to close its side. */
const CLOSE_TIMEOUT_MS = 1000;

/** Runs the rounds of a socket, one after the other, until it closes. */
export function openSession(socket: LiveSocket, parts: SessionParts, options: SessionOptions): void {
  const { activeRequests, readerTimeoutMs } = parts;
  const ended = new AbortController();
  const roundQueue = createRoundQueue(parts.synthesis.rules().maxTextCharacters, updateBackpressure);
  const slot = createSessionSlot(options.slot, activeRequests, closeWhenDraining);
  const rate = createRoundRate();
  let waitsForReader = false;
  let audioFrames = 0;
  const gap = createFrameGap(socket, ended.signal, readerTimeoutMs);
  const idle = setTimeout(onIdle, parts.idleMs);

  /** Whether nothing is being spoken and nothing waits to be. */
  function isIdle(): boolean {
    return roundQueue.isEmpty || (roundQueue.waitsForText && !slot.isHeld && !waitsForReader);
  }

  function closeWhenDraining(): void {
    if (!activeRequests.draining || !isIdle()) return;
    if (roundQueue.isEmpty) close(CLOSE.goingAway);
    // The round ends as if its `stop` had come, and the socket closes after its `finish`.
    else roundQueue.take({ event: "stop" }, 0);
  }

  function updateBackpressure(): void {
    if (ended.signal.aborted) return;
    const { size } = roundQueue;
    if (size > MAX_PENDING_SIZE) socket.pause();
    else if (socket.isPaused && size < MAX_PENDING_SIZE / 2) socket.resume();
  }

  /** No frame came and none was sent for a long time. The peer may well answer pings. */
  function onIdle(): void {
    // The engine and the reader have timeouts of their own.
    if (!isIdle()) idle.refresh();
    else if (roundQueue.isEmpty) close(CLOSE.normal);
    else fail(CLOSE.normal, apiError("round_idle", { seconds: Math.round(parts.idleMs / 1000) }));
  }

  function onMessage(data: unknown, isBinary: boolean): void {
    if (ended.signal.aborted) return;
    idle.refresh();
    if (isBinary && data instanceof Buffer) takeFrame(data);
    else fail(CLOSE.notBinary, apiError("unreadable_frame", { reason: "frames are binary MessagePack" }));
    updateBackpressure();
  }

  function takeFrame(data: Buffer): void {
    const isLarge = data.length > LIMITS.liveFrameBytes;
    const tooLarge = (): void =>
      fail(CLOSE.tooLarge, apiError("unreadable_frame", { reason: FAULT_REASONS[CLOSE.tooLarge] ?? "" }));
    try {
      const frame = decodeClientFrame(data);
      if (isLarge && frame?.event !== "start") tooLarge();
      else if (frame !== undefined) roundQueue.take(frame, data.length);
    } catch (error) {
      const known = asApiError(error);
      if (known.code === "round_missing") fail(CLOSE.refused, known);
      else if (isLarge) tooLarge();
      else if (isUnreadable(known)) fail(CLOSE.undecodable, known);
      else roundQueue.refuse(known);
    }
  }

  async function speak(round: Round, facts: RequestFacts, trace: Span): Promise<void> {
    const { signal } = round.controller;
    signal.throwIfAborted();
    if (activeRequests.draining) throw apiError("draining", {});
    // A socket may be open for long, so the key is checked again for each round.
    const caller = await withSpan(trace, "admission", (admission) => withSpan(admission, "auth", options.identify));
    const acquire = () =>
      withSpan(trace, "admission", async (admission) => {
        const found = await withSpan(admission, "auth", options.identify);
        return withSpan(admission, "limits", () => parts.limits.acquire(found, signal));
      });
    const takeSlot = () => slot.take(acquire, round.controller);
    const charges = createChunkCharges(parts.metering, caller, options.traceId);
    await speakRound(
      round,
      { ...parts, ...options, caller, charges, trace, send: sendAudio, takeSlot, onIdle: becomeIdle },
      facts,
    );
    function becomeIdle(): void {
      slot.idle();
      closeWhenDraining();
    }
    async function sendAudio(audio: Uint8Array, fields: object | undefined): Promise<void> {
      waitsForReader = true;
      try {
        await gap.ready();
        const time = Math.round(performance.now() - round.startedAt);
        await send(socket, { event: "audio", audio, time, ...fields }, signal, readerTimeoutMs);
        gap.sent();
        audioFrames += 1;
      } finally {
        waitsForReader = false;
      }
      idle.refresh();
    }
  }

  /** Undefined when the round went well. */
  async function perform(task: Task): Promise<ApiError | undefined> {
    if ("refusal" in task) return task.refusal;
    const { round } = task;
    const { userId, keyId } = options.caller;
    const facts: RequestFacts = { userId, keyId, operation: "live" };
    const trace = options.trace.follow("round", performance.timeOrigin + round.startedAt);
    let fault: ApiError | undefined;
    try {
      await speak(round, facts, trace);
    } catch (error) {
      const { reason } = round.controller.signal;
      fault = reason instanceof ApiError ? reason : asApiError(error);
      if (!ended.signal.aborted) logFault(options.log, fault, error);
    }
    const status = ended.signal.aborted ? CLIENT_GONE : (fault?.status ?? 200);
    const ms = Math.round((performance.now() - round.startedAt) * 10) / 10;
    const code = fault === undefined || ended.signal.aborted ? {} : { code: fault.code };
    parts.record(options.log, { method: "WS", route: options.route, status, ms, ...code }, facts);
    const error = ended.signal.aborted ? "cut" : fault?.code;
    trace.finish({ ...facts, status, ok: status === 200, error });
    return fault;
  }

  async function work(): Promise<void> {
    for (;;) {
      closeWhenDraining();
      const task = await roundQueue.next();
      if (task === undefined) return;
      if ("round" in task && task.round.isResumed) await sleep(rate.delayMs, undefined, { signal: ended.signal });
      const audioBefore = audioFrames;
      const fault = await perform(task);
      // Before the client is notified: it may start again at once.
      await slot.release();
      roundQueue.finished(fault !== undefined);
      await gap.ready();
      if (ended.signal.aborted) return;
      if (fault !== undefined) void whenAnswered(socket, ended.signal).then(roundQueue.resume);
      await send(socket, finish(fault), ended.signal, readerTimeoutMs);
      // Every further round would fail; a new socket gets the HTTP status.
      if (fault?.status === 401) close(CLOSE.refused);
      if (!rate.ended(audioFrames > audioBefore)) fail(CLOSE.refused, apiError("too_many_rounds", {}));
      idle.refresh();
      // Many rounds may wait here; other sockets have their turn between two of them.
      await nextTurn();
    }
  }

  function end(reason: string): void {
    ended.abort();
    clearTimeout(idle);
    roundQueue.close(new Error(reason));
    void slot.release();
  }

  function close(code: number): void {
    if (ended.signal.aborted) return;
    end("the socket is closing");
    // Frames that still arrive are read and dropped, up to the close frame.
    socket.resume();
    socket.onFault = undefined;
    socket.close(code);
  }

  function fail(code: number, error: ApiError): void {
    if (ended.signal.aborted) return;
    sendNow(socket, finish(error));
    close(code);
  }

  /** Closes without waiting for the client. */
  function terminate(code: number, error: ApiError): void {
    fail(code, error);
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  const removeConnection = activeRequests.addConnection({
    drain: closeWhenDraining,
    terminate: () => terminate(CLOSE.goingAway, apiError("draining", {})),
  });
  const unwatch = parts.disabledAccounts.watch(options.caller.userId, () =>
    terminate(CLOSE.refused, apiError("account_disabled", {})),
  );
  socket.onFault = (code) => fail(code, apiError("unreadable_frame", { reason: FAULT_REASONS[code] ?? "bad frame" }));
  // Each failed round waits for a pong of its own; how many there are is bounded by the round rate.
  socket.setMaxListeners(64);
  socket.on("message", onMessage);
  options.budget.watch(options.stream, socket, (code, reason) =>
    terminate(code, apiError("unreadable_frame", { reason })),
  );
  // An error is always followed by the close.
  socket.on("error", () => {});
  socket.once("close", () => {
    end("the client has disconnected");
    removeConnection();
    unwatch();
  });
  work().catch((error: unknown) => {
    if (ended.signal.aborted) return;
    logEvent(options.log, "live-session.failed", { err: error });
    socket.terminate();
  });
}

function finish(fault: ApiError | undefined): FinishFrame {
  if (fault === undefined) return { event: "finish", reason: "stop" };
  // A frame has no header for it.
  const when = fault.retryAfterSeconds === undefined ? "" : ` (come back in ${fault.retryAfterSeconds} s)`;
  return { event: "finish", reason: "error", message: fault.message + when };
}
