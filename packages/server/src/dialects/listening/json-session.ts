import { type ApiError, apiError, createJsonBoundsCheck, LIMITS, type ListenRequest } from "@parlance/protocol";
import type { ListeningEvent } from "@parlance/speech";
import { WebSocket } from "ws";
import { asApiError } from "../../http/errors.ts";
import { CLOSE, FAULT_REASONS, type LiveSocket, sendData } from "../fish/live/live-socket.ts";
import type { SessionOptions, SessionParts } from "../fish/live/session-parts.ts";
import { watchClosing } from "../fish/live/socket-closing.ts";
import { createReadPause } from "./read-pause.ts";
import { type ListenStream, openStream } from "./stream.ts";

/** What a dialect with messages in JSON makes of a stream. Errors that it throws end the socket. */
export interface JsonDialect {
  /** A message of the client, parsed. */
  readonly onMessage: (message: unknown, link: JsonLink) => void;
  /** A binary message; refused where it is left out. */
  readonly onBinary?: (audio: Buffer, link: JsonLink) => void;
  /** The messages for an event of the stream. */
  readonly onEvent: (event: ListeningEvent) => readonly object[];
  /** The last messages, when the stream has ended regularly. */
  readonly onDone?: (seconds: number) => readonly object[];
  readonly errorMessage: (error: ApiError) => object;
}

export interface JsonLink {
  /** Opens the stream. Further calls have no effect. */
  start(read: () => ListenRequest): ListenStream;
  readonly stream: ListenStream | undefined;
  /** Sends without waiting, for short answers to messages. */
  reply(message: object): void;
}

const BOUNDS = { depth: 12, elements: 500, values: 1000, escapes: 200_000 };
/** A client that does not read its answers is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Runs the stream of a socket whose messages are JSON. It closes when the stream has ended. */
export function openJsonListening(
  socket: LiveSocket,
  parts: SessionParts,
  options: SessionOptions,
  name: string,
  dialect: JsonDialect,
): JsonLink {
  let stream: ListenStream | undefined;
  const { signal, close, fail } = watchClosing(socket, parts, options, {
    onEnd() {
      clearTimeout(idle);
      if (stream === undefined) void options.slot.release();
    },
    drain: () => (stream === undefined ? close(CLOSE.goingAway) : stream.end()),
    sendError: (error) => reply(dialect.errorMessage(error)),
  });
  const pauseWhenFull = createReadPause(socket, () => stream?.isFull === true, signal);
  const idle = setTimeout(() => close(CLOSE.normal), parts.idleMs);

  function reply(message: object): void {
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message), () => {});
  }

  async function sendAll(messages: readonly object[]): Promise<void> {
    for (const message of messages) await sendData(socket, JSON.stringify(message), signal, parts.readerTimeoutMs);
    idle.refresh();
  }

  async function finishAfter(running: ListenStream): Promise<void> {
    const fault = await running.done;
    if (signal.aborted) return;
    if (fault !== undefined) return fail(CLOSE.refused, fault);
    await sendAll(dialect.onDone?.(running.seconds) ?? []);
    close(CLOSE.normal);
  }

  const link: JsonLink = {
    get stream() {
      return stream;
    },
    reply,
    start(read) {
      if (stream === undefined) {
        const onEvent = (event: ListeningEvent): Promise<void> => sendAll(dialect.onEvent(event));
        stream = openStream(parts, options, { dialect: name, request: read(), closed: signal, onEvent });
        void finishAfter(stream);
      }
      return stream;
    },
  };

  socket.on("message", (data: unknown, isBinary: boolean) => {
    if (signal.aborted) return;
    idle.refresh();
    const unreadable = (code: number, reason = ""): void => fail(code, apiError("unreadable_frame", { reason }));
    try {
      if (!(data instanceof Buffer)) unreadable(CLOSE.notBinary, "messages are single buffers");
      else if (data.length > LIMITS.liveFrameBytes) unreadable(CLOSE.tooLarge, FAULT_REASONS[CLOSE.tooLarge]);
      else if (!isBinary) dialect.onMessage(parseJson(data), link);
      else if (dialect.onBinary) dialect.onBinary(data, link);
      else unreadable(CLOSE.notBinary, "messages are JSON in text frames");
    } catch (error) {
      fail(CLOSE.refused, asApiError(error));
    }
    pauseWhenFull();
  });
  return {
    ...link,
    start(read) {
      try {
        return link.start(read);
      } catch (error) {
        fail(CLOSE.refused, asApiError(error));
        throw error;
      }
    },
  };
}

function parseJson(data: Buffer): unknown {
  try {
    const check = createJsonBoundsCheck(BOUNDS);
    check.push(data);
    check.end();
    return JSON.parse(data.toString("utf8"));
  } catch {
    throw apiError("unreadable_frame", { reason: "it is not JSON, or too large in structure" });
  }
}
