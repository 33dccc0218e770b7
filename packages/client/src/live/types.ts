import type { TimestampFields, TtsInput } from "@parlance/protocol";
import type { CallOptions } from "../http/connection.ts";

/** A piece of the file that is being spoken. The pieces of a round, put together, are the whole file. */
export interface LiveFrame {
  readonly audio: Uint8Array<ArrayBuffer>;
  /** Milliseconds since the round began, on the server's clock. */
  readonly time: number;
}

/** Also says which text it belongs to, and where the words of that are. */
export interface TimedLiveFrame extends LiveFrame, Readonly<TimestampFields> {}

/** How a round is to be spoken. A text that is given here is spoken first. */
export type RoundRequest = Omit<TtsInput, "text"> & { readonly text?: string | undefined };

/** What belongs to the socket, and therefore is the same for all of its rounds. */
export interface SocketOptions {
  /** The client's usual one when left out. Cannot be chosen where the socket cannot set headers. */
  readonly model?: string | undefined;
  /** Whether frames say where the words are. */
  readonly timestamps?: boolean | undefined;
}

export type LiveRequest = RoundRequest & SocketOptions;

/**
 * One text, from its first piece to its last, and the audio of it. What goes wrong is thrown where the frames are read;
 * the promises of what is sent reject too, but may be left alone.
 */
export interface LiveSession<Frame extends LiveFrame = LiveFrame> extends AsyncIterable<Frame> {
  readonly traceId: string | undefined;
  /** The next piece of text, cut anywhere. Resolves when more may be sent without piling up here. */
  send(text: string): Promise<void>;
  /** All that was sent is to be spoken now, without waiting for context. */
  flush(): Promise<void>;
  /** No more text will come: the rest is spoken, then the frames end. */
  stop(): Promise<void>;
  /** Sends a stream of text, such as the tokens of a language model, and stops. When the stream fails, so does this. */
  speak(text: AsyncIterable<string> | Iterable<string>): Promise<void>;
  /** Gives up: the connection is closed, at which the server stops to work. Leaving the loop over the frames does the same. */
  abort(reason?: unknown): void;
}

/** A socket that stays open for several rounds, one after the other. It is never opened again behind the caller's back. */
export interface LiveConnection<Frame extends LiveFrame = LiveFrame> {
  readonly traceId: string | undefined;
  /** Whether another round can be started, or one is running. */
  readonly open: boolean;
  /** Throws while another round is running, and `ConnectionError` when the connection is gone. */
  round(request?: RoundRequest, call?: Pick<CallOptions, "signal">): LiveSession<Frame>;
  /** Says goodbye, and gives up a round that is still running. Resolves when the socket is closed. */
  close(): Promise<void>;
}

export interface Live {
  /** Opens a socket for one round, and closes it after. */
  (request: LiveRequest & { readonly timestamps: true }, call?: CallOptions): Promise<LiveSession<TimedLiveFrame>>;
  (request?: LiveRequest, call?: CallOptions): Promise<LiveSession>;
  /** Opens a socket for several rounds. The signal closes it. */
  connect(
    options: SocketOptions & { readonly timestamps: true },
    call?: CallOptions,
  ): Promise<LiveConnection<TimedLiveFrame>>;
  connect(options?: SocketOptions, call?: CallOptions): Promise<LiveConnection>;
}

/** The server ended a round with an error: the request was wrong, credit ran out, or something broke. */
export class LiveError extends Error {
  readonly traceId: string | undefined;

  constructor(message: string, traceId: string | undefined) {
    super(message);
    this.name = "LiveError";
    this.traceId = traceId;
  }
}
