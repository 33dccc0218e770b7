import type { Span } from "./tracing.ts";

export type EngineName = "piper" | "kokoro";
export type AudioFormat = "mp3" | "wav" | "pcm" | "opus";
export type Latency = "balanced" | "normal";

/** A voice that can be spoken with now. */
export interface Voice {
  /** 32 lower-case hex digits, the `reference_id` on the wire. */
  readonly id: string;
  /** A short handle for people: "heart", "libritts-14". Accepted wherever the id is. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly engine: EngineName;
  /** BCP 47: "en-US". */
  readonly language: string;
  readonly gender: "female" | "male";
}

/** What it takes to speak with a voice: one of `voices()`, or one that the caller brings along. */
export interface SpokenVoice {
  readonly id: string;
  readonly engine: EngineName;
  /** Set: the voice is none of the engine's own. */
  readonly own?: OwnVoice | undefined;
}

export interface OwnVoice {
  /** Piper: the name of one of its speakers, or a speaker vector of 512 numbers. */
  readonly embedding: string | Float32Array;
  /** 1 is the engine's own pace; what a request asks for comes on top. */
  readonly pace: number;
}

export interface OutputFormat {
  readonly format: AudioFormat;
  readonly sampleRate: number;
  /** kbit/s, mp3 only. */
  readonly mp3Bitrate: number;
  /** bit/s, opus only; "auto" lets the encoder choose. */
  readonly opusBitrate: number | "auto";
}

/** How to speak, whatever the text. */
export interface SpeechSettings {
  /** By speaker index of `<|speaker:N|>`; the first is the default, and N past the end speaks with the last. */
  readonly voices: readonly SpokenVoice[];
  readonly output: OutputFormat;
  readonly latency: Latency;
  readonly chunkLength: number;
  readonly minChunkLength: number;
  /** Read numbers, dates, money and so on in words. */
  readonly normalizeText: boolean;
  readonly speed: number;
  readonly volumeDb: number;
  readonly normalizeLoudness: boolean;
  readonly temperature: number;
  readonly seed: number;
  /** What is done for it is said below this span. Changes nothing of what is heard. */
  readonly trace?: Span | undefined;
  /** Nobody asked for it, such as a check that all is well: it is left out of all figures, and no listener gives way to it. */
  readonly uncounted?: true | undefined;
}

export interface SpeechRequest extends SpeechSettings {
  readonly text: string;
}

/** Text that comes piece by piece. A flush asks that all of it so far be spoken now. */
export type LiveInput = { readonly text: string } | { readonly flush: true };

/** Told each chunk of the text before it is spoken, and waited for. What it throws ends the speech. */
export type BeforeChunk = (text: string) => Promise<void>;

/** A word as written in the request's text, and when it sounds. */
export interface SpokenSegment {
  readonly text: string;
  /** Seconds from the start of its chunk's audio. */
  readonly start: number;
  readonly end: number;
}

/** The next bytes of the file. Concatenated, `bytes` are the whole file. */
export interface SpeechPart {
  readonly bytes: Uint8Array;
  /** The text chunk that the newest audio in these bytes belongs to, counted from 0. */
  readonly chunk: number;
  /** Set on a chunk's first part that can be heard and on its last; the later one replaces the earlier. */
  readonly alignment?: ChunkAlignment;
}

/** Where the words of a chunk are in its audio, and its audio in the whole. */
export interface ChunkAlignment {
  /** As written in the request. */
  readonly text: string;
  readonly segments: readonly SpokenSegment[];
  /** Where the chunk's audio starts in the decoded file, in seconds. */
  readonly offset: number;
  /** Seconds of the chunk's audio, as far as it is there. */
  readonly duration: number;
}

/** What one chunk of text took, for those who count and those who plan. */
export interface ChunkFigures {
  readonly engine: EngineName;
  /** How long it waited for a worker. */
  readonly queueMs: number;
  /** How long a worker computed for it. */
  readonly busyMs: number;
  readonly audioSeconds: number;
  /** left: the listener did not wait for the end. */
  readonly outcome: "done" | "failed" | "left";
}

/** Text to speech as a library: the one path that every surface of the service is a skin over. */
export interface Speech {
  /** Voices whose models are installed, the default one first. */
  voices(): readonly Voice[];
  /** By id or slug. */
  findVoice(reference: string): Voice | undefined;
  /**
   * Who speaks when no voice is named: the house's choice, or that for an engine, or for a language (BCP 47). Undefined
   * while no installed voice fits.
   */
  defaultVoice(engine?: EngineName, language?: string): Voice | undefined;
  /**
   * Throws `overloaded` when the machine could not keep one more such stream ahead of its playback now. For a look before
   * other work is begun; `speak` and `speakLive` decide for themselves.
   */
  requireRoom(settings: SpeechSettings, text?: string): void;
  /** Speaks. Throws `SpeechError`; ends early when the signal aborts. */
  speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<SpeechPart>;
  /** Speaks text as it comes, until the input ends: waits for context while the listener has something to play. */
  speakLive(
    settings: SpeechSettings,
    input: AsyncIterable<LiveInput>,
    signal: AbortSignal,
    before?: BeforeChunk,
  ): AsyncIterable<SpeechPart>;
  /** Looks again which models are installed, and starts the engines that have become possible. */
  refresh(): Promise<void>;
  /** The worker processes that can speak now. */
  workers(): readonly { readonly engine: EngineName; readonly pid: number }[];
  /** Chunks of text of which nothing can be heard yet. */
  waiting(): readonly { readonly engine: EngineName; readonly chunks: number }[];
  /** Ends the worker processes. */
  close(): Promise<void>;
}

/** overloaded: the queue is full, retry later · failed: a worker died after audio had left · closed: shutting down */
export type SpeechErrorCode = "overloaded" | "failed" | "closed";

export class SpeechError extends Error {
  readonly code: SpeechErrorCode;
  /** With `overloaded`: when a retry is likely to be taken. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: SpeechErrorCode, message: string, retryAfterSeconds?: number, cause?: unknown) {
    super(message, { cause });
    this.name = "SpeechError";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
