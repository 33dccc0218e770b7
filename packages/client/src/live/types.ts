import type { TimestampFields, TtsInput } from "@parlance/protocol";
import type { CallOptions } from "../http/connection.ts";

/** The next bytes of the audio file. The frames of a round together are the whole file. */
export interface LiveFrame {
  readonly audio: Uint8Array<ArrayBuffer>;
  /** Milliseconds since the start of the round, by the server's clock. */
  readonly time: number;
}

/** With the text chunk that the audio belongs to, and the times of its words. */
export interface TimedLiveFrame extends LiveFrame, Readonly<TimestampFields> {}

/** The options of a round. A text that is given here is spoken first. */
export type RoundRequest = Omit<TtsInput, "text"> & { readonly text?: string | undefined };

/** Options of the socket, the same for all of its rounds. */
export interface SocketOptions {
  /** By default the model of the client. Not available where a WebSocket cannot set headers. */
  readonly model?: string | undefined;
  /** Whether frames have word timestamps. */
  readonly timestamps?: boolean | undefined;
}

export type LiveRequest = RoundRequest & SocketOptions;

/**
 * One round: text in, audio frames out. Errors are thrown where the frames are read. The promises of the methods reject
 * as well, but need not be awaited.
 *
 * @example
 * ```ts
 * const session = await client.live({ format: "pcm" });
 * await session.send("Hello, ");
 * await session.send("world.");
 * await session.stop();
 * for await (const { audio, time } of session) console.log(time, audio.length);
 * ```
 */
export interface LiveSession<Frame extends LiveFrame = LiveFrame> extends AsyncIterable<Frame> {
  readonly traceId: string | undefined;
  /** Sends the next piece of text, cut anywhere. Resolves when the send buffer has room for more. */
  send(text: string): Promise<void>;
  /** Has everything sent so far spoken now, without waiting for more context. */
  flush(): Promise<void>;
  /** Ends the text: the rest is spoken, then the frames end. */
  stop(): Promise<void>;
  /** Sends a stream of text, such as the tokens of a language model, then stops. If the stream fails, the round fails. */
  speak(text: AsyncIterable<string> | Iterable<string>): Promise<void>;
  /** Closes the connection; the server stops working. Leaving the loop over the frames does the same. */
  abort(reason?: unknown): void;
}

/** A socket for several rounds, one after the other. It does not reconnect by itself. */
export interface LiveConnection<Frame extends LiveFrame = LiveFrame> {
  readonly traceId: string | undefined;
  /** Whether the socket is open. */
  readonly open: boolean;
  /** Starts a round. Throws while another one is running, and `ConnectionError` when the socket is closed. */
  round(request?: RoundRequest, call?: Pick<CallOptions, "signal">): LiveSession<Frame>;
  /** Closes the socket, and aborts a round that is still running. Resolves when it is closed. */
  close(): Promise<void>;
}

/** Text to speech over a WebSocket, while the text is still being written. */
export interface Live {
  /**
   * Opens a socket for one round, and closes it afterwards.
   *
   * @example
   * ```ts
   * const session = await client.live({ reference_id: "af_heart", format: "pcm", sample_rate: 24_000 });
   * session.speak(["The tokens of ", "a language ", "model."]);
   * for await (const { audio } of session) process.stdout.write(audio);
   * ```
   */
  (request: LiveRequest & { readonly timestamps: true }, call?: CallOptions): Promise<LiveSession<TimedLiveFrame>>;
  (request?: LiveRequest, call?: CallOptions): Promise<LiveSession>;
  /**
   * Opens a socket for several rounds. The signal closes it.
   *
   * @example
   * ```ts
   * const connection = await client.live.connect();
   * for (const answer of ["First answer.", "Second answer."]) {
   *   const session = connection.round({ format: "opus" });
   *   session.speak([answer]);
   *   for await (const { audio } of session) console.log(audio.length);
   * }
   * await connection.close();
   * ```
   */
  connect(
    options: SocketOptions & { readonly timestamps: true },
    call?: CallOptions,
  ): Promise<LiveConnection<TimedLiveFrame>>;
  connect(options?: SocketOptions, call?: CallOptions): Promise<LiveConnection>;
}

/**
 * The server ended a round with an error: an invalid request, not enough credit, or a fault of the server.
 *
 * @example
 * ```ts
 * import { LiveError } from "@parlance/client";
 *
 * try {
 *   const session = await client.live({ reference_id: "no-such-voice" });
 *   session.speak(["Hello!"]);
 *   for await (const { audio } of session) console.log(audio.length);
 * } catch (error) {
 *   if (error instanceof LiveError) console.error(error.message, error.traceId);
 *   else throw error;
 * }
 * ```
 */
export class LiveError extends Error {
  readonly traceId: string | undefined;

  constructor(message: string, traceId: string | undefined) {
    super(message);
    this.name = "LiveError";
    this.traceId = traceId;
  }
}
