import type { RecognizerName } from "./engines/registry.ts";
import type { Span } from "./lib/tracing.ts";

/** How the frames of a stream are encoded; one channel. */
export interface LiveAudioFormat {
  /** A frame of `opus` is one packet, or a piece of an Ogg stream. */
  readonly encoding: "pcm_s16le" | "mulaw" | "alaw" | "opus";
  /** Samples per second. Opus is decoded at any rate. */
  readonly sampleRate: number;
}

/** When a turn of a speaker is over, by the silence after it. */
export type TurnEnd =
  /** Only when the client says so. */
  | { readonly by: "client" }
  | { readonly by: "silence"; readonly silenceMs: number }
  /** Sooner after words that end like a sentence than in the middle of one. */
  | { readonly by: "words"; readonly sentenceMs: number; readonly middleMs: number };

export interface ListeningRequest {
  readonly format: LiveAudioFormat;
  /** ISO 639-1. Undefined: found in the first seconds of speech. */
  readonly language?: string | undefined;
  /** Undefined: chosen by the language. */
  readonly engine?: RecognizerName | undefined;
  readonly turnEnd?: TurnEnd | undefined;
  /** Whether text is reported while it is spoken. Without it, a stream costs a third. */
  readonly partials?: boolean | undefined;
  /** The parent of all spans of this stream. */
  readonly trace?: Span | undefined;
}

/** A word with its times in seconds from the start of the stream. */
export interface LiveWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it follows the previous word without a space, as in languages that write none. */
  readonly joined: boolean;
}

/** A part of a turn with its text. Long turns are cut at pauses. */
export interface LiveText {
  /** Counted from 0. */
  readonly segment: number;
  readonly text: string;
  readonly words: readonly LiveWord[];
  /** Seconds from the start of the stream. */
  readonly start: number;
  readonly end: number;
  /** ISO 639-1. */
  readonly language: string;
}

export type ListeningEvent =
  | { readonly type: "speech-started"; readonly at: number }
  /** The text so far. The first `stable` words will not change any more. */
  | ({ readonly type: "partial"; readonly stable: number } & LiveText)
  /** `endsTurn`: the last segment of a turn. */
  | ({ readonly type: "final"; readonly endsTurn: boolean } & LiveText)
  /** The speaker's turn is over. Its last `final` follows, unless it had no words. */
  | { readonly type: "speech-stopped"; readonly at: number }
  /** Everything before a `flush` was reported. */
  | { readonly type: "flushed"; readonly at: number };

/** One stream of audio that is recognized while it comes in. */
export interface Listening extends AsyncIterable<ListeningEvent> {
  /** Adds audio. Throws `AudioError` when the frame cannot be decoded. */
  push(frame: Uint8Array): void;
  /** Ends the turn here, whatever follows. */
  flush(): void;
  /** No more audio follows; the rest is still recognized. */
  end(): void;
  /** Seconds of audio so far. */
  readonly seconds: number;
  /** Whether so much audio waits that no more should be read from the client for now. */
  readonly isFull: boolean;
}
