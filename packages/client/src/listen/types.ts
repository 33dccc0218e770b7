import type { ListenServerFrame } from "@parlance/protocol";
import type { CallOptions } from "../http/connection.ts";

/** How the audio comes, and when a turn is over. See `WS /v1/asr/live`. */
export interface ListenOptions {
  /** 16-bit little-endian samples by default; one channel. With `opus`, send one packet at a time, or an Ogg stream in pieces. */
  readonly format?: "pcm" | "ulaw" | "alaw" | "opus" | undefined;
  /** 16000 by default, 8000 for `ulaw` and `alaw`. */
  readonly sampleRate?: number | undefined;
  /** ISO 639-1; found in the first seconds of speech by default. */
  readonly language?: string | undefined;
  /** `false`: final text only. */
  readonly partials?: boolean | undefined;
  /** `words` by default: sooner after words that end like a sentence. */
  readonly endOfTurn?: "words" | "silence" | "client" | undefined;
  readonly sentenceMs?: number | undefined;
  readonly middleMs?: number | undefined;
  readonly silenceMs?: number | undefined;
  /** The recognizer; chosen by the language by default. Not in browsers. */
  readonly model?: string | undefined;
}

/** An event of live recognition. */
export type ListenEvent = Exclude<ListenServerFrame, { readonly event: "finish" }>;

/** A stream of audio that is recognized while it is spoken. Its events end when everything was recognized. */
export interface ListenSession extends AsyncIterable<ListenEvent> {
  readonly traceId: string | undefined;
  /** Adds audio. Resolves when more may be sent; awaiting it keeps the memory small. */
  send(audio: Uint8Array | Int16Array): Promise<void>;
  /** The turn ends here. */
  flush(): void;
  /** No more audio follows. */
  stop(): void;
  /** Ends the stream at once. Leaving the loop over its events does the same. */
  close(): void;
}

export type Listen = (options?: ListenOptions, call?: CallOptions) => Promise<ListenSession>;
