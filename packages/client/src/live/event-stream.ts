import { ConnectionError } from "../http/connection.ts";
import { createFrameQueue } from "./frame-queue.ts";
import type { Socket } from "./socket.ts";

/** The events that a socket receives, for one reader. */
export interface EventStream<Event> {
  readonly isOver: boolean;
  push(event: Event, bytes: number): void;
  /** An error is thrown to the reader after the events before it. */
  end(reason?: unknown): void;
  /** Throws the reason to the reader at once, and closes the socket. */
  destroy(reason: unknown): void;
  /** The socket was closed. */
  closed(reason: string): void;
  /** Can be read once. A reader that leaves early calls `close`. */
  read(close: () => void): AsyncGenerator<Event, void, undefined>;
}

/** Ends with the signal. */
export function createEventStream<Event>(socket: Socket, signal: AbortSignal | undefined): EventStream<Event> {
  let isOver = false;
  const flow = { pause: () => socket.pause?.(), resume: () => socket.resume?.() };
  const queue = createFrameQueue<Event>(flow, () => {});

  function end(error?: { readonly reason: unknown; readonly atOnce: boolean }): void {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener("abort", onAbort);
    queue.end(error);
  }
  function destroy(reason: unknown): void {
    end({ reason, atOnce: true });
    socket.destroy();
  }
  const onAbort = (): void => destroy(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });

  return {
    get isOver() {
      return isOver;
    },
    push: queue.push,
    end: (reason) => end(reason === undefined ? undefined : { reason, atOnce: false }),
    destroy,
    closed: (reason) =>
      end({
        reason: new ConnectionError(`The connection was closed: ${reason}`, undefined, socket.traceId),
        atOnce: false,
      }),
    async *read(close) {
      try {
        yield* queue.frames();
      } finally {
        if (!isOver) close();
      }
    },
  };
}
