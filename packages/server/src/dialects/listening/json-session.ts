import type { ApiError, ListenRequest } from "@parlance/protocol";
import type { ListeningEvent } from "@parlance/speech";
import { asApiError } from "../../http/errors.ts";
import { CLOSE, type LiveSocket } from "../fish/live/live-socket.ts";
import type { SessionOptions, SessionParts } from "../fish/live/session-parts.ts";
import { openJsonSocket } from "./json-socket.ts";
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

/** Runs the stream of a socket whose messages are JSON. It closes when the stream has ended. */
export function openJsonListening(
  socket: LiveSocket,
  parts: SessionParts,
  options: SessionOptions,
  name: string,
  dialect: JsonDialect,
): JsonLink {
  let stream: ListenStream | undefined;
  const { onBinary } = dialect;
  const { signal, close, fail, reply, sendAll } = openJsonSocket(socket, parts, options, {
    onEnd() {
      if (stream === undefined) void options.slot.release();
    },
    drain: () => (stream === undefined ? close(CLOSE.goingAway) : stream.end()),
    onMessage: (message) => dialect.onMessage(message, link),
    onBinary: onBinary && ((audio) => onBinary(audio, link)),
    isFull: () => stream?.isFull === true,
    errorMessage: dialect.errorMessage,
  });

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
