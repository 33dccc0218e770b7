import type { RecognitionHints, RecognitionTask } from "./engines/recognizer.ts";
import type { RecognizerName } from "./engines/registry.ts";
import type { Span } from "./lib/tracing.ts";
import type { Listening, ListeningRequest } from "./listening.ts";

export type { RecognitionHints, RecognitionTask } from "./engines/recognizer.ts";
export type { RecognizerName } from "./engines/registry.ts";

/** Simplified or traditional characters, by their ISO 15924 code. */
export type ChineseScript = "Hans" | "Hant";

/** Who may speak in a recording. */
export interface SpeakersRequest {
  /** How many people speak. Undefined: found. */
  readonly count?: number | undefined;
  /** People whose voices are known, by x-vectors or by a recording of each. */
  readonly known?: readonly KnownSpeaker[] | undefined;
}

export interface KnownSpeaker {
  readonly name: string;
  /** An x-vector, or the path of a file with audio in any container and codec. */
  readonly voice: Float32Array | string;
}

/** A person who speaks in a recording. */
export interface TranscriptSpeaker {
  /** The name of the known speaker. */
  readonly name?: string | undefined;
  /** Seconds of speech. */
  readonly seconds: number;
  /** The x-vector of the voice, of length 1; empty where there was too little speech. */
  readonly embedding: Float32Array;
}

export interface TranscriptionRequest {
  /** A file with audio in any container and codec; its name does not matter. */
  readonly path: string;
  /** Whose request it is. Recordings of several owners are decoded in turn. */
  readonly owner?: string | undefined;
  /** Where the decoded recording is stored meanwhile; the system's temporary folder by default. */
  readonly workFolder?: string | undefined;
  /** ISO 639-1. Undefined: detected, for each stretch of speech. */
  readonly language?: string | undefined;
  /** How Chinese is written. Undefined: as the recognizer writes it, in a mix of both. */
  readonly script?: ChineseScript | undefined;
  /** Undefined: chosen by the language. */
  readonly engine?: RecognizerName | undefined;
  /** Used where the recognizer can. */
  readonly hints?: RecognitionHints | undefined;
  /** Without `engine`: a recognizer that uses hints is preferred to one that is faster. */
  readonly preferHints?: boolean | undefined;
  /** Whether `segments` are sentences or words. */
  readonly granularity: "segment" | "word";
  /** Whether `words` are wanted besides. */
  readonly wordTimes?: boolean | undefined;
  /** Speaker diarization. */
  readonly speakers?: SpeakersRequest | undefined;
  /** `translate` gives the text in English. Needs a recognizer that translates; see `Transcription.translators`. */
  readonly task?: RecognitionTask | undefined;
  /** Recordings that are shorter are refused, in place of the limit of the service. */
  readonly minSeconds?: number | undefined;
  /** Called with the length of the recording before it is recognized, and awaited. An error that it throws ends the work. */
  readonly onDecoded?: ((seconds: number) => Promise<void>) | undefined;
  /** Called with the share of the work that is done, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Called with each further piece of the text as soon as it is certain. The pieces together are the text. */
  readonly onText?: ((piece: string) => void) | undefined;
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
  /** ISO 639-1, where the recording has several languages. */
  readonly language?: string | undefined;
  /** The index of its speaker, where speakers were requested. */
  readonly speaker?: number | undefined;
}

export interface Transcript {
  readonly text: string;
  /** Seconds of the audio. */
  readonly duration: number;
  /** ISO 639-1; of several, the one that is spoken for the longest time. Undefined when there is no speech. */
  readonly language: string | undefined;
  readonly segments: readonly TranscriptSegment[];
  /** Where `wordTimes` was requested. */
  readonly words?: readonly TranscriptSegment[];
  /** In the order of their first words, where speakers were requested. */
  readonly speakers?: readonly TranscriptSpeaker[];
}

/** Speech to text. */
export interface Transcription {
  /** Recognizers whose models are installed. */
  engines(): readonly RecognizerName[];
  /** Recognizers that can translate into English now. */
  translators(): readonly RecognizerName[];
  /** Whether speaker diarization is available. */
  tellsSpeakers(): boolean;
  /** ISO 639-1 codes that can be requested now. */
  languages(): readonly string[];
  /** Throws `AudioError` when the recording cannot be used, `SpeechError` when the service cannot recognize it now. */
  transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcript>;
  /**
   * Follows a stream of audio while it comes in. Throws `AudioError` for a format that cannot be decoded, `SpeechError` when
   * no more streams can be followed.
   */
  listen(request: ListeningRequest, signal: AbortSignal): Promise<Listening>;
  /** Checks again which models are installed. */
  refresh(): Promise<void>;
  /** The worker processes; none after some minutes without work. */
  workers(): readonly number[];
  close(): Promise<void>;
}
