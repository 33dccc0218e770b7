import type { Span } from "./tracing.ts";

/** Speech to text, as the rest of the house sees it. */

export type RecognizerName = "moonshine" | "whisper";

export interface TranscriptionRequest {
  /** A file with audio in any container and codec; its name does not matter. */
  readonly path: string;
  /** Where the decoded recording lies meanwhile. Left out: in the system's folder for such files. */
  readonly workFolder?: string | undefined;
  /** ISO 639-1. Undefined: detected from the speech. */
  readonly language?: string | undefined;
  /** Undefined: chosen by the language. */
  readonly engine?: RecognizerName | undefined;
  /** What `segments` are. */
  readonly granularity: "segment" | "word";
  /** Told how long the recording is before it is listened to, and waited for. What it throws ends the work. */
  readonly onDecoded?: ((seconds: number) => Promise<void>) | undefined;
  /** Where it has come to, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** What is done for it is said below this span. */
  readonly trace?: Span | undefined;
  /**
   * Only a check that all is well: processes that have to be started for it are let go right after it, and those that are
   * there do not live longer for it.
   */
  readonly inPassing?: true | undefined;
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
  /** ISO 639-1. Undefined when nothing was said. */
  readonly language: string | undefined;
  readonly segments: readonly TranscriptSegment[];
}

export interface Transcription {
  /** Engines whose models are installed. */
  engines(): readonly RecognizerName[];
  /** ISO 639-1 codes that can be asked for now. */
  languages(): readonly string[];
  /** Throws `AudioError` when the recording cannot be used, `SpeechError` when the service cannot listen now. */
  transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcript>;
  /** Looks again which models are installed. */
  refresh(): Promise<void>;
  /** The worker processes that there are now: none while nothing was listened to for some minutes. */
  workers(): readonly number[];
  close(): Promise<void>;
}

/**
 * undecodable: not audio, or damaged beyond use · no_audio: a container without an audio track ·
 * too_short and too_long: against the limits that the decoder was given ·
 * too_costly: it took more time or memory to decode than any honest file does
 */
export type AudioErrorCode = "undecodable" | "no_audio" | "too_short" | "too_long" | "too_costly";

/** The recording cannot be used. Its message is for the person who sent it. */
export class AudioError extends Error {
  readonly code: AudioErrorCode;
  /** With `too_short` and `too_long`: how long it is, as far as it was read. */
  readonly seconds: number | undefined;

  constructor(code: AudioErrorCode, message: string, seconds?: number, cause?: unknown) {
    super(message, { cause });
    this.name = "AudioError";
    this.code = code;
    this.seconds = seconds;
  }
}
