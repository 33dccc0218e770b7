import {
  ApiError,
  decodeListenServerFrame,
  encodeListenFrame,
  isErrorCode,
  LISTEN_PATH,
  type ListenClientFrame,
  type ListenFinishFrame,
} from "@parlance/protocol";
import { type CallOptions, type Connection, ConnectionError } from "../http/connection.ts";
import { chooseSocket } from "../live/choose-socket.ts";
import { createEventStream } from "../live/event-stream.ts";
import type { Socket, SocketEvents } from "../live/socket.ts";
import { LiveError } from "../live/types.ts";
import type { Listen, ListenEvent, ListenOptions, ListenSession } from "./types.ts";

/** With more bytes in the send buffer, `send` waits. */
const MAX_BUFFERED_BYTES = 256 * 1024;
const BUFFER_POLL_MS = 20;
/** Events are small; their number is what counts. */
const EVENT_BYTES = 1024;

export function createListen(connection: Connection, given?: typeof WebSocket): Listen {
  const { open, setsHeaders } = chooseSocket(given);
  return async ({ model, ...options } = {}, call = {}) => {
    if (model !== undefined && !setsHeaders)
      throw new Error(`model ${model}: it cannot be sent, because the WebSocket of browsers sets no headers`);
    const url = connection.base.replace(/^http/, "ws") + LISTEN_PATH;
    const headers = { ...connection.headers(call), ...(model === undefined ? {} : { model }) };
    let session: ListenSession | undefined;
    const begin = encodeListenFrame({ event: "start", request: requestOf(options) });
    await open({ url, headers, timeoutMs: connection.timeoutMs, signal: call.signal }, (socket) => {
      socket.send(begin);
      const managed = manageStream(socket, call);
      session = managed.session;
      return managed.events;
    });
    if (session === undefined) throw new Error("the socket was opened without being attached");
    return session;
  };
}

function requestOf(options: ListenOptions): object {
  const { format, language, partials } = options;
  const given = {
    format,
    language,
    partials,
    sample_rate: options.sampleRate,
    end_of_turn: options.endOfTurn,
    sentence_ms: options.sentenceMs,
    middle_ms: options.middleMs,
    silence_ms: options.silenceMs,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function manageStream(socket: Socket, { signal }: CallOptions) {
  const { traceId } = socket;
  const stream = createEventStream<ListenEvent>(socket, signal);
  const send = (frame: ListenClientFrame): void => {
    if (!stream.isOver) socket.send(encodeListenFrame(frame));
  };
  const session: ListenSession = {
    traceId,
    async send(audio) {
      const bytes = new Uint8Array(audio.buffer, audio.byteOffset, audio.byteLength);
      send({ event: "audio", audio: bytes });
      while (!stream.isOver && socket.buffered > MAX_BUFFERED_BYTES) {
        await new Promise((resolve) => setTimeout(resolve, BUFFER_POLL_MS));
      }
    },
    flush: () => send({ event: "flush" }),
    stop: () => send({ event: "stop" }),
    close: () => stream.destroy(new ConnectionError("The connection was closed here", undefined, traceId)),
    [Symbol.asyncIterator]: () => stream.read(session.close),
  };
  const events: SocketEvents = {
    message(data) {
      const frame = typeof data === "string" ? undefined : decodeListenServerFrame(data);
      if (frame === undefined) return;
      if (frame.event !== "finish") stream.push(frame, EVENT_BYTES);
      else stream.end(frame.reason === "stop" ? undefined : failureOf(frame, traceId));
    },
    closed: stream.closed,
  };
  return { session, events };
}

/** As over HTTP, where the code is known. */
function failureOf(
  { message = "", code = "", retry_after: retryAfterSeconds }: ListenFinishFrame,
  traceId?: string,
): Error {
  if (isErrorCode(code)) return new ApiError(code, message, { retryAfterSeconds, traceId });
  return new LiveError(message, traceId);
}
