import { type AudioFrame, type CallerFrame, createPairJoiner, type ServiceFrame } from "@parlance/protocol";
import { ConnectionError } from "../http/connection.ts";
import { createFrameQueue, type Flow } from "./frame-queue.ts";
import { LiveError, type LiveFrame, type LiveSession, type RoundRequest } from "./types.ts";

/** What a round needs of its socket. */
export interface RoundLink extends Flow {
  readonly traceId: string | undefined;
  readonly timeoutMs: number;
  /** False where the server cannot be made to wait. */
  readonly canHold: boolean;
  readonly buffered: number;
  send(frame: CallerFrame): void;
  /** The server has finished the round. */
  finished(): void;
  /** Nobody wants the rest: the socket is closed. */
  abandon(reason: unknown): void;
}

export interface Round<Frame extends LiveFrame> {
  readonly session: LiveSession<Frame>;
  take(frame: ServiceFrame): void;
  /** The connection is gone (what came before is still read), or the caller has given up. */
  fail(reason: unknown, atOnce: boolean): void;
}

/** Text that has not left this machine; with more, senders are asked to wait. */
const MOST_UNSENT_BYTES = 64 * 1024;
const UNSENT_CHECK_MS = 10;
/** Where the server cannot be made to wait, this much is kept for a slow reader; with more, the round ends. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

export function startRound<Frame extends LiveFrame>(
  link: RoundLink,
  request: RoundRequest,
  toFrame: (frame: AudioFrame) => Frame,
  signal: AbortSignal | undefined,
): Round<Frame> {
  const queue = createFrameQueue<Frame>(link, watch);
  const over = new AbortController();
  const joinPairs = createPairJoiner();
  let stopped = false;
  let patience: ReturnType<typeof setTimeout> | undefined;

  function end(failure?: { readonly reason: unknown; readonly atOnce: boolean }): void {
    if (over.signal.aborted) return;
    over.abort(failure === undefined ? new Error("The round is over") : failure.reason);
    clearTimeout(patience);
    signal?.removeEventListener("abort", onAbort);
    queue.end(failure);
  }

  function giveUp(reason: unknown): void {
    if (over.signal.aborted) return;
    end({ reason, atOnce: true });
    link.abandon(reason);
  }

  const onAbort = (): void => giveUp(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });

  /** Before the stop, silence may mean that there is nothing to say; after it, something has to come. */
  function watch(): void {
    clearTimeout(patience);
    if (!stopped || !queue.awaited || over.signal.aborted) return;
    const { timeoutMs } = link;
    const giveUpWaiting = () =>
      giveUp(new ConnectionError(`Nothing came for ${timeoutMs} ms`, undefined, link.traceId));
    patience = setTimeout(giveUpWaiting, timeoutMs);
  }

  async function sent(frame: CallerFrame): Promise<void> {
    over.signal.throwIfAborted();
    link.send(frame);
    while (link.buffered > MOST_UNSENT_BYTES) {
      await unlessAborted(new Promise((resolve) => setTimeout(resolve, UNSENT_CHECK_MS)), over.signal);
    }
  }

  function checkOpen(): void {
    if (stopped) throw new Error("The round has been stopped: what follows needs a round of its own");
  }

  async function pipe(text: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const source = typeof text === "string" ? [text] : text;
    const pieces = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    // Not awaited: a source that waits for its next piece answers only when that has come.
    const letGo = () => quiet(Promise.resolve(pieces.return?.()));
    try {
      for (;;) {
        const step = await unlessAborted(Promise.resolve(pieces.next()), over.signal);
        if (step.done === true) return await session.stop();
        if (stopped) return void letGo();
        await session.send(step.value);
      }
    } catch (error) {
      if (over.signal.aborted) letGo();
      giveUp(error);
      throw error;
    }
  }

  async function* frames(): AsyncGenerator<Frame, void, undefined> {
    try {
      yield* queue.frames();
    } finally {
      giveUp(new Error("The frames are no longer read"));
    }
  }
  const reading = frames();

  const session: LiveSession<Frame> = {
    traceId: link.traceId,
    send(text) {
      checkOpen();
      const whole = joinPairs(text);
      return whole === "" ? Promise.resolve() : quiet(sent({ event: "text", text: whole }));
    },
    flush() {
      checkOpen();
      return quiet(sent({ event: "flush" }));
    },
    stop() {
      if (stopped) return Promise.resolve();
      stopped = true;
      watch();
      return quiet(sent({ event: "stop" }));
    },
    speak: (text) => quiet(pipe(text)),
    abort: (reason = new Error("The round was given up")) => giveUp(reason),
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
        if (!link.canHold && queue.bytes > MOST_UNREAD_BYTES) {
          giveUp(new Error(`More than ${MOST_UNREAD_BYTES / 1024 / 1024} MiB of audio was not read`));
        }
      } else if (frame.event === "finish") {
        const message = frame.message ?? "The server ended the round with an error and did not say why";
        end(frame.reason === "stop" ? undefined : { reason: new LiveError(message, link.traceId), atOnce: false });
        link.finished();
      }
    },
  };
}

/** Whoever waits sees the failure; with nobody waiting it is no unhandled rejection, for the reader sees it anyway. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  quiet(promise);
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}
