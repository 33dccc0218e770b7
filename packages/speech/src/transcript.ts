import type { RecognizerName } from "./engines/registry.ts";
import type { Span } from "./lib/tracing.ts";

export type { RecognizerName } from "./engines/registry.ts";

export interface TranscriptionRequest {
  /** A file with audio in any container and codec; its name does not matter. */
  readonly path: string;
  /** Where the decoded recording is stored meanwhile; the system's temporary folder by default. */
  readonly workFolder?: string | undefined;
  /** ISO 639-1. Undefined: detected. */
  readonly language?: string | undefined;
  /** Undefined: chosen by the language. */
  readonly engine?: RecognizerName | undefined;
  /** Whether `segments` are sentences or words. */
  readonly granularity: "segment" | "word";
  /** Called with the length of the recording before it is recognized, and awaited. An error that it throws ends the work. */
  readonly onDecoded?: ((seconds: number) => Promise<void>) | undefined;
  /** Called with the share of the work that is done, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** The parent of all spans of this request. */
  readonly trace?: Span | undefined;
  /** A health check: worker processes that were started for it end right after it, and others are not kept longer for it. */
  readonly probe?: true | undefined;
}

export interface TranscriptSegment {
  readonly text: string;
  /** Seconds from the start of the audio. */
  readonly start: number;
  readonly end: number;
}

export interface Transcript {
  readonly text: string;
  /** Seconds of the audio. */
  readonly duration: number;
  /** ISO 639-1. Undefined when there is no speech. */
  readonly language: string | undefined;
  readonly segments: readonly TranscriptSegment[];
}

/** Speech to text. */
export interface Transcription {
  /** Recognizers whose models are installed. */
  engines(): readonly RecognizerName[];
  /** ISO 639-1 codes that can be requested now. */
  languages(): readonly string[];
  /** Throws `AudioError` when the recording cannot be used, `SpeechError` when the service cannot recognize it now. */
  transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcript>;
  /** Checks again which models are installed. */
  refresh(): Promise<void>;
  /** The worker processes; none after some minutes without work. */
  workers(): readonly number[];
  close(): Promise<void>;
}
