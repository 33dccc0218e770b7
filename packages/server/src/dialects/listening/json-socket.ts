import { type ApiError, apiError, createJsonBoundsCheck, type JsonBounds, LIMITS } from "@parlance/protocol";
import { WebSocket } from "ws";
import { asApiError } from "../../http/errors.ts";
import { CLOSE, FAULT_REASONS, type LiveSocket, sendData } from "../fish/live/live-socket.ts";
import type { SessionOptions, SessionParts } from "../fish/live/session-parts.ts";
import { type ClosingHandlers, type SocketClosing, watchClosing } from "../fish/live/socket-closing.ts";
import { createReadPause } from "./read-pause.ts";

export interface JsonSocketHandlers extends Pick<ClosingHandlers, "onEnd" | "drain"> {
  /** A message of the client, parsed. What it throws closes the socket. */
  readonly onMessage: (message: unknown) => void;
  /** A binary message; refused where it is left out. */
  readonly onBinary?: ((data: Buffer) => void) | undefined;
  /** Whether the client should not be read for now. */
  readonly isFull: () => boolean;
  readonly errorMessage: (error: ApiError) => object;
  /** The structure that a message may have. */
  readonly bounds?: JsonBounds;
}

/** A socket whose messages are JSON. It closes when nothing has come or gone for the idle time. */
export interface JsonSocketLink extends SocketClosing {
  /** Sends without waiting, for short answers to messages. */
  reply(message: object): void;
  /** Resolves when the messages have left. */
  sendAll(messages: readonly object[]): Promise<void>;
}

const BOUNDS: JsonBounds = { depth: 12, elements: 500, values: 1000, escapes: 200_000 };
/** A client that does not read its answers is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024;

export function openJsonSocket(
  socket: LiveSocket,
  parts: SessionParts,
  options: SessionOptions,
  handlers: JsonSocketHandlers,
): JsonSocketLink {
  const closing = watchClosing(socket, parts, options, {
    onEnd(reason) {
      clearTimeout(idle);
      handlers.onEnd(reason);
    },
    drain: handlers.drain,
    sendError: (error) => reply(handlers.errorMessage(error)),
  });
  const { signal, close, fail } = closing;
  const pauseWhenFull = createReadPause(socket, handlers.isFull, signal);
  const idle = setTimeout(() => close(CLOSE.normal), parts.idleMs);

  function reply(message: object): void {
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message), () => {});
  }

  async function sendAll(messages: readonly object[]): Promise<void> {
    for (const message of messages) await sendData(socket, JSON.stringify(message), signal, parts.readerTimeoutMs);
    idle.refresh();
  }

  socket.on("message", (data: unknown, isBinary: boolean) => {
    if (signal.aborted) return;
    idle.refresh();
    const unreadable = (code: number, reason = ""): void => fail(code, apiError("unreadable_frame", { reason }));
    try {
      if (!(data instanceof Buffer)) unreadable(CLOSE.notBinary, "messages are single buffers");
      else if (data.length > LIMITS.liveFrameBytes) unreadable(CLOSE.tooLarge, FAULT_REASONS[CLOSE.tooLarge]);
      else if (!isBinary) handlers.onMessage(parseJson(data, handlers.bounds ?? BOUNDS));
      else if (handlers.onBinary) handlers.onBinary(data);
      else unreadable(CLOSE.notBinary, "messages are JSON in text frames");
    } catch (error) {
      fail(CLOSE.refused, asApiError(error));
    }
    pauseWhenFull();
  });
  return { ...closing, reply, sendAll };
}

function parseJson(data: Buffer, bounds: JsonBounds): unknown {
  try {
    const check = createJsonBoundsCheck(bounds);
    check.push(data);
    check.end();
    return JSON.parse(data.toString("utf8"));
  } catch {
    throw apiError("unreadable_frame", { reason: "it is not JSON, or too large in structure" });
  }
}
