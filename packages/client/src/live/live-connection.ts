import { type AudioFrame, decodeServerFrame, encodeLiveFrame, type ServerFrame } from "@parlance/protocol";
import { ConnectionError, describe } from "../http/connection.ts";
import { type Round, type RoundLink, startRound } from "./round.ts";
import type { Socket, SocketEvents } from "./socket.ts";
import type { LiveConnection, LiveFrame } from "./types.ts";

export interface ManagedConnection<Frame extends LiveFrame> {
  readonly connection: LiveConnection<Frame>;
  readonly events: SocketEvents;
}

/** How long the server may take to complete the close handshake. */
const CLOSE_TIMEOUT_MS = 2000;

export interface ConnectionRules<Frame extends LiveFrame> {
  readonly timeoutMs: number;
  readonly toFrame: (frame: AudioFrame) => Frame;
  /** Closes the connection. */
  readonly signal: AbortSignal | undefined;
  /** A round has ended, with or without an error. */
  readonly onFinish: (connection: LiveConnection<Frame>) => void;
}

export function manageSocket<Frame extends LiveFrame>(
  socket: Socket,
  { timeoutMs, toFrame, signal, onFinish }: ConnectionRules<Frame>,
): ManagedConnection<Frame> {
  const { traceId } = socket;
  let current: Round<Frame> | undefined;
  /** Why no more rounds are possible. */
  let lost: { readonly reason: unknown } | undefined;
  let markClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    markClosed = resolve;
  });

  function lose(reason: unknown, atOnce: boolean): void {
    lost ??= { reason };
    const round = current;
    current = undefined;
    round?.fail(lost.reason, atOnce);
  }

  function destroy(reason: unknown, atOnce: boolean): void {
    lose(reason, atOnce);
    socket.destroy();
  }

  const onAbort = (): void => destroy(signal?.reason, true);
  signal?.addEventListener("abort", onAbort, { once: true });

  const link: RoundLink = {
    traceId,
    timeoutMs,
    canPause: socket.pause !== undefined,
    get buffered() {
      return socket.buffered;
    },
    pause: () => socket.pause?.(),
    resume: () => socket.resume?.(),
    send: (frame) => socket.send(encodeLiveFrame(frame)),
    finished() {
      current = undefined;
      // The next round must not wait until the frames of this one are read.
      socket.resume?.();
      onFinish(connection);
    },
    abort: (reason) => destroy(new ConnectionError(`The connection was closed: ${describe(reason)}`, reason), true),
  };

  const connection: LiveConnection<Frame> = {
    traceId,
    get open() {
      return lost === undefined;
    },
    round(request = {}, call = {}) {
      if (lost !== undefined) throw lost.reason;
      if (current !== undefined) throw new Error("A round is running: stop it and read its frames to the end first");
      call.signal?.throwIfAborted();
      current = startRound(link, request, toFrame, call.signal);
      return current.session;
    },
    async close() {
      const running = current !== undefined;
      lose(new ConnectionError("The connection was closed here", undefined, traceId), true);
      if (running) socket.destroy();
      else socket.close();
      const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
      await closed;
      clearTimeout(timer);
    },
  };

  const events: SocketEvents = {
    message(data) {
      if (lost !== undefined) return;
      try {
        const frame = readFrame(data);
        if (frame !== undefined) current?.take(frame);
      } catch (error) {
        const message = `The server sent an invalid frame: ${describe(error)}`;
        destroy(new ConnectionError(message, error, traceId), false);
      }
    },
    closed(reason) {
      signal?.removeEventListener("abort", onAbort);
      lose(new ConnectionError(`The connection was closed: ${reason}`, undefined, traceId), false);
      markClosed();
    },
  };
  return { connection, events };
}

function readFrame(data: Uint8Array | string): ServerFrame | undefined {
  if (typeof data === "string") throw new Error("a text frame");
  return decodeServerFrame(data);
}
