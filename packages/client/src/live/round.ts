import { type AudioFrame, type ClientFrame, createSurrogateJoiner, type ServerFrame } from "@parlance/protocol";
import { ConnectionError } from "../http/connection.ts";
import { createFrameQueue, type FlowControl } from "./frame-queue.ts";
import { LiveError, type LiveFrame, type LiveSession, type RoundRequest } from "./types.ts";

/** The part of the connection that a round uses. */
export interface RoundLink extends FlowControl {
  readonly traceId: string | undefined;
  readonly timeoutMs: number;
  /** False where the socket cannot be paused. */
  readonly canPause: boolean;
  readonly buffered: number;
  send(frame: ClientFrame): void;
  /** The server has finished the round. */
  finished(): void;
  /** Closes the socket: the rest of the round is not needed. */
  abort(reason: unknown): void;
}

export interface Round<Frame extends LiveFrame> {
  readonly session: LiveSession<Frame>;
  take(frame: ServerFrame): void;
  /** Ends the round with an error, after the received frames or at once. */
  fail(reason: unknown, atOnce: boolean): void;
}

/** Bytes in the send buffer above which `send` waits. */
const MAX_UNSENT_BYTES = 64 * 1024;
const UNSENT_CHECK_MS = 10;
/** Where the socket cannot be paused: unread bytes above which the round ends. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

export function startRound<Frame extends LiveFrame>(
  link: RoundLink,
  request: RoundRequest,
  toFrame: (frame: AudioFrame) => Frame,
  signal: AbortSignal | undefined,
): Round<Frame> {
  const queue = createFrameQueue<Frame>(link, watch);
  const over = new AbortController();
  const joinPairs = createSurrogateJoiner();
  let stopped = false;
  let timeout: ReturnType<typeof setTimeout> | undefined;

  function end(failure?: { readonly reason: unknown; readonly atOnce: boolean }): void {
    if (over.signal.aborted) return;
    over.abort(failure === undefined ? new Error("The round is over") : failure.reason);
    clearTimeout(timeout);
    signal?.removeEventListener("abort", onAbort);
    queue.end(failure);
  }

  function cancel(reason: unknown): void {
    if (over.signal.aborted) return;
    end({ reason, atOnce: true });
    link.abort(reason);
  }

  const onAbort = (): void => cancel(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });

  /** Starts the timeout for the next frame. There is none before the stop: the server may wait for text. */
  function watch(): void {
    clearTimeout(timeout);
    if (!stopped || !queue.awaited || over.signal.aborted) return;
    const { timeoutMs } = link;
    const onTimeout = () =>
      cancel(new ConnectionError(`Nothing received for ${timeoutMs} ms`, undefined, link.traceId));
    timeout = setTimeout(onTimeout, timeoutMs);
  }

  async function sent(frame: ClientFrame): Promise<void> {
    over.signal.throwIfAborted();
    link.send(frame);
    while (link.buffered > MAX_UNSENT_BYTES) {
      await unlessAborted(new Promise((resolve) => setTimeout(resolve, UNSENT_CHECK_MS)), over.signal);
    }
  }

  function checkOpen(): void {
    if (stopped) throw new Error("The round has been stopped: start another one for more text");
  }

  async function pipe(text: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const source = typeof text === "string" ? [text] : text;
    const pieces = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    // Not awaited: a generator that waits for its next piece only returns after that.
    const release = () => handled(Promise.resolve(pieces.return?.()));
    try {
      for (;;) {
        const step = await unlessAborted(Promise.resolve(pieces.next()), over.signal);
        if (step.done === true) return await session.stop();
        if (stopped) return void release();
        await session.send(step.value);
      }
    } catch (error) {
      if (over.signal.aborted) release();
      cancel(error);
      throw error;
    }
  }

  async function* frames(): AsyncGenerator<Frame, void, undefined> {
    try {
      yield* queue.frames();
    } finally {
      cancel(new Error("The frames are no longer read"));
    }
  }
  const reading = frames();

  const session: LiveSession<Frame> = {
    traceId: link.traceId,
    send(text) {
      checkOpen();
      const whole = joinPairs(text);
      return whole === "" ? Promise.resolve() : handled(sent({ event: "text", text: whole }));
    },
    flush() {
      checkOpen();
      return handled(sent({ event: "flush" }));
    },
    stop() {
      if (stopped) return Promise.resolve();
      stopped = true;
      watch();
      return handled(sent({ event: "stop" }));
    },
    speak: (text) => handled(pipe(text)),
    abort: (reason = new Error("The round was aborted")) => cancel(reason),
    [Symbol.asyncIterator]: () => reading,
  };

  link.send({ event: "start", request: { ...request, text: request.text ?? "" } });
  return {
    session,
    fail: (reason, atOnce) => end({ reason, atOnce }),
    take(frame) {
      if (frame.event === "audio") {
        queue.push(toFrame(frame), frame.audio.length);
        watch();
        if (!link.canPause && queue.bytes > MAX_UNREAD_BYTES) {
          cancel(new Error(`More than ${MAX_UNREAD_BYTES / 1024 / 1024} MiB of audio was not read`));
        }
      } else if (frame.event === "finish") {
        const message = frame.message ?? "The server ended the round with an error and did not say why";
        end(frame.reason === "stop" ? undefined : { reason: new LiveError(message, link.traceId), atOnce: false });
        link.finished();
      }
    },
  };
}

/** Prevents an unhandled rejection when the promise is not awaited: the reader of the frames gets the error too. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  handled(promise);
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}
