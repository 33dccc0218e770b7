import {
  type ApiError,
  apiError,
  decodeListenClientFrame,
  encodeListenFrame,
  isUnreadable,
  LIMITS,
  type ListenFinishFrame,
  parseListenRequest,
} from "@parlance/protocol";
import type { ListeningEvent } from "@parlance/speech";
import { WebSocket } from "ws";
import { asApiError } from "../../../http/errors.ts";
import { createReadPause } from "../../listening/read-pause.ts";
import { type ListenStream, openStream } from "../../listening/stream.ts";
import { CLOSE, FAULT_REASONS, type LiveSocket, sendData } from "../live/live-socket.ts";
import type { SessionOptions, SessionParts } from "../live/session-parts.ts";
import { watchClosing } from "../live/socket-closing.ts";
import { toListenFrame } from "./listen-frame.ts";

/** Recognizes the stream of a socket, which closes after its `finish`. */
export function openListening(socket: LiveSocket, parts: SessionParts, options: SessionOptions): void {
  let stream: ListenStream | undefined;
  const { signal, close, fail } = watchClosing(socket, parts, options, {
    onEnd() {
      clearTimeout(idle);
      if (stream === undefined) void options.slot.release();
    },
    drain: endForShutdown,
    sendError: (error) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(encodeListenFrame(finish(error, stream)), () => {});
    },
  });
  const pauseWhenFull = createReadPause(socket, () => stream?.isFull === true, signal);
  const idle = setTimeout(onIdle, parts.idleMs);

  function endForShutdown(): void {
    if (stream === undefined) close(CLOSE.goingAway);
    else stream.end();
  }

  function onIdle(): void {
    if (stream === undefined) close(CLOSE.normal);
    else fail(CLOSE.normal, apiError("round_idle", { seconds: Math.round(parts.idleMs / 1000) }));
  }

  function onMessage(data: unknown, isBinary: boolean): void {
    if (signal.aborted) return;
    idle.refresh();
    const unreadable = (code: number, reason = ""): void => fail(code, apiError("unreadable_frame", { reason }));
    if (!isBinary || !(data instanceof Buffer)) unreadable(CLOSE.notBinary, "frames are binary MessagePack");
    else if (data.length > LIMITS.liveFrameBytes) unreadable(CLOSE.tooLarge, FAULT_REASONS[CLOSE.tooLarge]);
    else takeFrame(data);
    pauseWhenFull();
  }

  function takeFrame(data: Buffer): void {
    try {
      const frame = decodeListenClientFrame(data);
      if (frame === undefined) return;
      if (frame.event === "start") start(frame.request);
      else if (stream === undefined) throw apiError("round_missing", { event: frame.event });
      else if (frame.event === "audio") stream.push(frame.audio);
      else if (frame.event === "flush") stream.flush();
      else stream.end();
    } catch (error) {
      const known = asApiError(error);
      fail(isUnreadable(known) ? CLOSE.undecodable : CLOSE.refused, known);
    }
  }

  function start(given: unknown): void {
    if (stream !== undefined) throw apiError("round_replaced", {});
    const request = parseListenRequest(options.model, given, parts.transcription.rules());
    stream = openStream(parts, options, { dialect: "fish", request, closed: signal, onEvent: send });
    void finishAfter(stream);
  }

  async function finishAfter(running: ListenStream): Promise<void> {
    const fault = await running.done;
    if (signal.aborted) return;
    if (fault !== undefined) fail(CLOSE.refused, fault);
    else {
      await sendData(socket, encodeListenFrame(finish(undefined, running)), signal, parts.readerTimeoutMs);
      close(CLOSE.normal);
    }
  }

  async function send(event: ListeningEvent): Promise<void> {
    await sendData(socket, encodeListenFrame(toListenFrame(event)), signal, parts.readerTimeoutMs);
    idle.refresh();
  }

  socket.on("message", onMessage);
}

function finish(fault: ApiError | undefined, stream: ListenStream | undefined): ListenFinishFrame {
  const duration = stream === undefined ? {} : { duration: Math.round(stream.seconds * 1000) / 1000 };
  if (fault === undefined) return { event: "finish", reason: "stop", ...duration };
  const retry = fault.retryAfterSeconds === undefined ? {} : { retry_after: fault.retryAfterSeconds };
  return { event: "finish", reason: "error", message: fault.message, code: fault.code, ...retry, ...duration };
}
