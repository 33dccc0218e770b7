import { Readable } from "node:stream";
import { ClientDisconnected } from "./disconnect.ts";
import { stoppedError, withinTimeout } from "./timeouts.ts";

export interface ResponseStreamOptions {
  /** Aborting it ends the synthesis; it is aborted when the stream ends early for any reason. */
  readonly controller: AbortController;
  /** How long the engine may take for the next bytes. */
  readonly engineTimeoutMs: number;
  /** How long the reader may take nothing at all. */
  readonly readerTimeoutMs: number;
  /** Called before the stream ends well, and awaited. */
  readonly onEnd: () => Promise<void>;
  /** Called when the engine has failed; not when it was stopped. `begun`: no error response can be sent any more. */
  readonly onFault?: (error: unknown, begun: boolean) => void;
  /** Where the format can state an error: the bytes for it, with which a stream that has begun ends. */
  readonly errorBytes?: ((error: unknown) => Uint8Array) | undefined;
}

/** Bytes that wait in this process for a slow reader; beyond that the engine waits. */
const READ_AHEAD_BYTES = 64 * 1024;

/**
 * Resolves with the stream once the first bytes are there, so that an early failure still gets an error response.
 * The engine is read only as fast as the client reads. A failure ends the stream with an error, never cleanly, unless the
 * format states it.
 */
export async function openResponseStream(
  iterator: AsyncGenerator<Uint8Array>,
  options: ResponseStreamOptions,
): Promise<Readable> {
  const { controller, engineTimeoutMs, readerTimeoutMs } = options;
  const { signal } = controller;
  // Not awaited: behind a step that hangs it would wait for ever. The abort is what wakes such a step up.
  const stop = (reason?: unknown): void => {
    controller.abort(reason);
    iterator.return(undefined).catch(() => {});
  };
  let begun = false;
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      const step = await withinTimeout(iterator.next(), signal, engineTimeoutMs);
      return step.done === true ? undefined : step.value;
    } catch (error) {
      if (!signal.aborted) options.onFault?.(error, begun);
      stop(error);
      throw error;
    }
  };

  const first = await next();
  begun = true;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for (let chunk = first; chunk !== undefined; chunk = await next()) {
        const stalled = setTimeout(() => {
          stream.destroy(new Error(`the reader took nothing for ${readerTimeoutMs} ms`));
        }, readerTimeoutMs);
        try {
          yield chunk;
        } finally {
          clearTimeout(stalled);
        }
      }
      // An engine may end without an error after an abort. That must not look like the end of the audio.
      if (signal.aborted) throw stoppedError(signal);
      await options.onEnd();
    } catch (error) {
      if (options.errorBytes === undefined) throw error;
      // Nothing is thrown after it: that would discard what the connection has not taken yet.
      yield options.errorBytes(error);
    } finally {
      // Unless it has ended well or was stopped before, its reader has let go of it.
      stop(new ClientDisconnected());
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false, highWaterMark: READ_AHEAD_BYTES });
  stream.once("close", () => stop(new ClientDisconnected()));
  return stream;
}
