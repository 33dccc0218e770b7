import type { AsrResult, AsrSegment, Granularity } from "@parlance/protocol";
import type { CallOptions } from "../http/connection.ts";

/** Bytes that can be read from anywhere: a file that need not fit into memory. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `start` up to but not including `end`; fewer where they end before. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** What can be transcribed. A stream is gathered first. */
export type Recording = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | ByteSource;

/** What was said. */
export interface Transcript {
  readonly text: string;
  /** Seconds of the audio. */
  readonly duration: number;
  readonly segments: readonly AsrSegment[];
  /** ISO 639-1; null when nothing was said. */
  readonly language: string | null;
}

export interface TranscribeOptions extends CallOptions {
  /** ISO 639-1. Detected when left out. */
  readonly language?: string | undefined;
  /** What the segments are: sentences and phrases, or single words. */
  readonly granularity?: Granularity | undefined;
  /** No segments are wanted. */
  readonly ignoreTimestamps?: boolean | undefined;
  /** `transcribe-1` unless another one is named. */
  readonly model?: string | undefined;
}

/** Sound as it is read. */
export interface Pcm {
  readonly sampleRate: number;
  /** How long it is, if that is known before it was read. */
  readonly seconds: number | undefined;
  /** One channel, from -1 to 1. */
  readonly samples: AsyncIterable<Float32Array>;
}

/** Reads a file of any format that it knows. */
export type Decode = (file: ByteSource, signal: AbortSignal | undefined) => Promise<Pcm>;

export interface Progress {
  /** Seconds of the recording that are done. */
  readonly seconds: number;
  /** Of how many, once that is known. */
  readonly total: number | undefined;
  /** How many of the done ones were there from an earlier run. */
  readonly resumed: number;
}

/** A part whose transcript is there. Its times count from its own start. */
export interface FinishedPart {
  /** Where it begins in the recording, in seconds. */
  readonly start: number;
  readonly seconds: number;
  readonly result: AsrResult;
}

/** Where finished parts outlive an interruption. They are of the same recording and the same options, or none. */
export interface KeptParts {
  load(): Promise<readonly FinishedPart[]>;
  add(part: FinishedPart): Promise<void>;
}

export interface PartsOptions {
  /** Parts that are worked on at a time; 2 by default. */
  readonly concurrency?: number | undefined;
  /** The most seconds of a part; 120 by default, 10 to 600. */
  readonly partSeconds?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly resume?: KeptParts | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LongOptions extends TranscribeOptions, PartsOptions {
  /** Reads what is not WAV. In browsers the browser does, unless this is given. */
  readonly decode?: Decode | undefined;
  /** Told before a part is sent again. */
  readonly onRetry?: ((error: Error, waitMs: number) => void) | undefined;
}

export interface Asr {
  /** One request: at most 20 MiB and 60 minutes. */
  transcribe(file: Recording, options?: TranscribeOptions): Promise<Transcript>;
  /** Recordings of any length: split at silences, sent in parts, put together again. */
  long(file: Recording, options?: LongOptions): Promise<Transcript>;
}
