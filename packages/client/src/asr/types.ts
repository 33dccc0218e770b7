import type { AsrResult, AsrSegment, AsrSpeaker, Granularity } from "@parlance/protocol";
import type { CallOptions } from "../http/connection.ts";
import type { Listen } from "../listen/types.ts";

/** Random access to bytes: a file that need not fit into memory. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `start` up to but not including `end`; fewer at the end of the file. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** What can be transcribed. A stream is read to its end first. */
export type Recording = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | ByteSource;

/** The text of a recording. */
export interface Transcript {
  readonly text: string;
  /** Seconds of the audio. */
  readonly duration: number;
  readonly segments: readonly AsrSegment[];
  /** ISO 639-1; null when the recording has no speech. */
  readonly language: string | null;
  /** In the order of their first words, where speakers were requested. */
  readonly speakers?: readonly AsrSpeaker[];
}

export interface TranscribeOptions extends CallOptions {
  /** ISO 639-1. Detected when left out. */
  readonly language?: string | undefined;
  /** What the segments are: sentences and phrases, or single words. */
  readonly granularity?: Granularity | undefined;
  /** Leaves `segments` empty. */
  readonly ignoreTimestamps?: boolean | undefined;
  /** By default `transcribe-1`. */
  readonly model?: string | undefined;
  /** Speaker diarization: segments have a `speaker`. A number is the number of speakers. */
  readonly speakers?: boolean | number | undefined;
  /** Ids of cloned voices of the account: a speaker with one of these voices gets its title as name. */
  readonly knownSpeakers?: readonly string[] | undefined;
}

/** Decoded audio. */
export interface Pcm {
  readonly sampleRate: number;
  /** Its length, if that is known before it is read. */
  readonly seconds: number | undefined;
  /** One channel, from -1 to 1. */
  readonly samples: AsyncIterable<Float32Array>;
}

/** Decodes an audio file. */
export type Decode = (file: ByteSource, signal: AbortSignal | undefined) => Promise<Pcm>;

export interface Progress {
  /** Seconds of the recording that are transcribed. */
  readonly seconds: number;
  /** Seconds of the whole recording, once that is known. */
  readonly total: number | undefined;
  /** Seconds whose transcript was restored from an earlier run. */
  readonly resumed: number;
}

/** A part with its transcript. Times count from the start of the part. */
export interface FinishedPart {
  /** Its offset in the recording, in seconds. */
  readonly start: number;
  readonly seconds: number;
  readonly result: AsrResult;
}

/** Stores finished parts, so that an interrupted run can be resumed. One store is for one recording and one set of options. */
export interface PartStore {
  load(): Promise<readonly FinishedPart[]>;
  add(part: FinishedPart): Promise<void>;
}

export interface PartsOptions {
  /** Parts that are transcribed at a time; 2 by default. */
  readonly concurrency?: number | undefined;
  /** The maximum length of a part in seconds, 10 to 600; 120 by default, 600 with `speakers`. */
  readonly partSeconds?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly resume?: PartStore | undefined;
  /** How many people speak, where their voices tell who is who in all parts. */
  readonly speakerCount?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LongOptions extends TranscribeOptions, PartsOptions {
  /** Decodes formats other than WAV. By default the browser does, where there is one. */
  readonly decode?: Decode | undefined;
  /** Called before a part is sent again. */
  readonly onRetry?: ((error: Error, waitMs: number) => void) | undefined;
}

/** Speech to text. */
export interface Asr {
  /**
   * Transcribes a recording in one request: at most 20 MiB and 60 minutes.
   *
   * @example
   * ```ts
   * import { openAsBlob } from "node:fs";
   *
   * const { text, segments } = await client.asr.transcribe(await openAsBlob("talk.mp3"), { granularity: "word" });
   * console.log(text, segments[0]?.start);
   * ```
   */
  transcribe(file: Recording, options?: TranscribeOptions): Promise<Transcript>;
  /**
   * Transcribes a recording of any length: it is split at pauses, sent in parts, and the transcripts are joined.
   *
   * @example
   * ```ts
   * import { openAsBlob } from "node:fs";
   *
   * const { text } = await client.asr.long(await openAsBlob("meeting.wav"), {
   *   onProgress: ({ seconds, total }) => console.log(seconds, total),
   * });
   * console.log(text);
   * ```
   */
  long(file: Recording, options?: LongOptions): Promise<Transcript>;
  /**
   * Recognizes audio while it is spoken.
   *
   * @example
   * ```ts
   * const session = await client.asr.live({ language: "en", sampleRate: 16000 });
   * for await (const chunk of process.stdin) await session.send(chunk);
   * session.stop();
   * for await (const result of session) if (result.event === "segment") console.log(result.text);
   * ```
   */
  readonly live: Listen;
}
