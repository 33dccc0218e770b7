import { setMaxListeners } from "node:events";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type ApiError, apiError, decodeClientFrame, type FinishFrame, isUnreadable, LIMITS } from "@parlance/protocol";
import { asApiError } from "../../../http/errors.ts";
import { logEvent } from "../../../telemetry/log-events.ts";
import { applyBackpressure } from "./backpressure.ts";
import { createFrameGap } from "./frame-gap.ts";
import { CLOSE, FAULT_REASONS, type LiveSocket, send, sendNow, whenAnswered } from "./live-socket.ts";
import { createRoundQueue, type Task } from "./round-queue.ts";
import { createRoundRate } from "./round-rate.ts";
import type { SessionOptions, SessionParts } from "./session-parts.ts";
import { createSessionSlot } from "./session-slot.ts";
import { watchClosing } from "./socket-closing.ts";
import { performRound } from "./socket-round.ts";

/** Runs the rounds of a socket, one after the other, until it closes. */
export function openSession(socket: LiveSocket, parts: SessionParts, options: SessionOptions): void {
  const { activeRequests, readerTimeoutMs } = parts;
  const { signal, close, fail } = watchClosing(socket, parts, options, {
    onEnd(reason) {
      clearTimeout(idle);
      roundQueue.close(reason);
      void slot.release();
    },
    drain: closeWhenDraining,
    sendError: (error) => sendNow(socket, finish(error)),
  });
  const roundQueue = createRoundQueue(parts.synthesis.rules().maxTextCharacters, updateBackpressure);
  const slot = createSessionSlot(options.slot, activeRequests, closeWhenDraining);
  const rate = createRoundRate();
  let waitsForReader = false;
  let audioFrames = 0;
  const gap = createFrameGap(socket, signal, readerTimeoutMs);
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
    if (!signal.aborted) applyBackpressure(socket, roundQueue.size);
  }

  /** No frame came and none was sent for a long time. The peer may well answer pings. */
  function onIdle(): void {
    // The engine and the reader have timeouts of their own.
    if (!isIdle()) idle.refresh();
    else if (roundQueue.isEmpty) close(CLOSE.normal);
    else fail(CLOSE.normal, apiError("round_idle", { seconds: Math.round(parts.idleMs / 1000) }));
  }

  function onMessage(data: unknown, isBinary: boolean): void {
    if (signal.aborted) return;
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

  /** Undefined when the round went well. */
  async function perform(task: Task): Promise<ApiError | undefined> {
    if ("refusal" in task) return task.refusal;
    const { round } = task;
    const { model, withTimestamps } = options;
    return performRound(round, parts, options, {
      dialect: "fish",
      model,
      withTimestamps,
      slot,
      closed: signal,
      onIdle: becomeIdle,
      send: sendAudio,
    });
    function becomeIdle(): void {
      slot.idle();
      closeWhenDraining();
    }
    async function sendAudio(audio: Uint8Array, fields: object | undefined): Promise<void> {
      waitsForReader = true;
      try {
        await gap.ready();
        const time = Math.round(performance.now() - round.startedAt);
        await send(socket, { event: "audio", audio, time, ...fields }, round.controller.signal, readerTimeoutMs);
        gap.sent();
        audioFrames += 1;
      } finally {
        waitsForReader = false;
      }
      idle.refresh();
    }
  }

  async function work(): Promise<void> {
    for (;;) {
      closeWhenDraining();
      const task = await roundQueue.next();
      if (task === undefined) return;
      if ("round" in task && task.round.isResumed) await sleep(rate.delayMs, undefined, { signal });
      const audioBefore = audioFrames;
      const fault = await perform(task);
      // Before the client is notified: it may start again at once.
      await slot.release();
      roundQueue.finished(fault !== undefined);
      await gap.ready();
      if (signal.aborted) return;
      if (fault !== undefined) void whenAnswered(socket, signal).then(roundQueue.resume);
      await send(socket, finish(fault), signal, readerTimeoutMs);
      // Every further round would fail; a new socket gets the HTTP status.
      if (fault?.status === 401) close(CLOSE.refused);
      if (!rate.ended(audioFrames > audioBefore)) fail(CLOSE.refused, apiError("too_many_rounds", {}));
      idle.refresh();
      // Many rounds may wait here; other sockets have their turn between two of them.
      await nextTurn();
    }
  }

  // Each failed round waits for a pong of its own; how many there are is bounded by the round rate.
  setMaxListeners(64, socket, signal);
  socket.on("message", onMessage);
  work().catch((error: unknown) => {
    if (signal.aborted) return;
    logEvent(options.log, "live-session.failed", { err: error });
    socket.terminate();
  });
}

function finish(fault: ApiError | undefined): FinishFrame {
  if (fault === undefined) return { event: "finish", reason: "stop" };
  // A frame has no header for it.
  const when = fault.retryAfterSeconds === undefined ? "" : ` (retry in ${fault.retryAfterSeconds} s)`;
  return { event: "finish", reason: "error", message: fault.message + when };
}
