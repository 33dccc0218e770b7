import type { OutputFormat } from "./audio/encode/output-format.ts";
import type { EngineName } from "./engines/registry.ts";
import type { Span } from "./lib/tracing.ts";

export type { AudioFormat, OutputFormat } from "./audio/encode/output-format.ts";
export type { EngineName } from "./engines/registry.ts";
export type Latency = "balanced" | "normal";

/** A stock voice whose model is installed. */
export interface Voice {
  /** 32 lower-case hex digits, the `reference_id` on the wire. */
  readonly id: string;
  /** A short name for people: "af_heart", "clara". Accepted wherever the id is. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly engine: EngineName;
  /** BCP 47: "en-US". */
  readonly language: string;
  readonly gender: "female" | "male";
}

/** The voice of a request: one of `voices()`, or a custom one. */
export interface SpeechVoice {
  readonly id: string;
  readonly engine: EngineName;
  /** Set for a voice that is not one of the engine's stock voices. */
  readonly custom?: CustomVoice | undefined;
  /** Set for a voice that is put together from stock voices. */
  readonly mix?: VoiceMix | undefined;
}

/** A mean of stock voices of one engine. */
export interface VoiceMix {
  /** By short name; the weights are relative to their sum. The first one gives the language. */
  readonly parts: readonly { readonly voice: string; readonly weight: number }[];
  /** Relative to the mixed voice; 1 leaves it as it is. Not every engine can change it. */
  readonly pitch: number;
  readonly pace: number;
}

/** A cloned voice. */
export interface CustomVoice {
  /** The name of one of the engine's own speakers, a speaker embedding, or a timbre. */
  readonly embedding: string | Float32Array;
  /** The stock voice that gives the prosody, where the embedding is a timbre. */
  readonly prosody?: string | undefined;
  /** Relative to the engine's own pitch of that prosody; 1 by default. */
  readonly pitch?: number | undefined;
  /** The range of the pitch in octaves, relative to that of the prosody; 1 by default. */
  readonly pitchRange?: number | undefined;
  /** Multiplied with the speed of the request; 1 is the engine's own pace. */
  readonly pace: number;
  /** What the refinement of the voice adds inside the decoder, in the engine's own format. */
  readonly decoderOffsets?: Float32Array | undefined;
}

/** How to speak, independent of the text. */
export interface SpeechSettings {
  /** BCP 47: every sentence is in this language. Otherwise it is found for each sentence. */
  readonly language?: string | undefined;
  /** No voice was named: a sentence in another language than the voice's is spoken by the default voice of that language. */
  readonly voiceByLanguage?: boolean | undefined;
  /** Words and how they are spoken: a respelling, or phonemes between slashes. */
  readonly pronunciations?: Readonly<Record<string, string>> | undefined;
  /** By speaker index of `<|speaker:N|>`. The first one is the default; an index past the end uses the last one. */
  readonly voices: readonly SpeechVoice[];
  readonly output: OutputFormat;
  readonly latency: Latency;
  /** The target length of a chunk of text, in characters. */
  readonly chunkLength: number;
  readonly minChunkLength: number;
  /** Expand numbers, dates, amounts of money and the like into words. */
  readonly normalizeText: boolean;
  readonly speed: number;
  readonly volumeDb: number;
  readonly normalizeLoudness: boolean;
  readonly temperature: number;
  readonly seed: number;
  /** The parent of all spans of this request. Does not change the audio. */
  readonly trace?: Span | undefined;
  /** A request of the service itself, such as a health check: left out of all metrics, and no other request waits for it. */
  readonly internal?: true | undefined;
}

export interface SpeechRequest extends SpeechSettings {
  readonly text: string;
}

/** Text that arrives in pieces. A flush has everything so far spoken at once. */
export type LiveInput = { readonly text: string } | { readonly flush: true };

/** Callbacks of a text that is spoken while it is being written. */
export interface LiveHooks {
  /** Before each chunk of text is synthesised. What it throws ends the speech. */
  readonly beforeChunk?: (text: string) => Promise<void>;
  /** All text that has arrived was spoken, and nothing is known to follow. */
  readonly onIdle?: () => void;
}

/** A word as written in the request, and when it is spoken. */
export interface SpokenSegment {
  readonly text: string;
  /** Seconds from the start of its chunk's audio. */
  readonly start: number;
  readonly end: number;
}

/** The next bytes of the file. All `bytes` together are the whole file. */
export interface SpeechPart {
  readonly bytes: Uint8Array;
  /** Index of the text chunk that the newest audio in these bytes belongs to. */
  readonly chunk: number;
  /** Set on a chunk's first audible part and on its last one; the later alignment replaces the earlier. */
  readonly alignment?: ChunkAlignment;
}

/** Where the words of a chunk are in its audio, and where the chunk is in the file. */
export interface ChunkAlignment {
  /** As written in the request. */
  readonly text: string;
  readonly segments: readonly SpokenSegment[];
  /** Where the chunk's audio starts in the decoded file, in seconds. */
  readonly offset: number;
  /** Seconds of the chunk's audio so far. */
  readonly duration: number;
}

/** What one chunk of text took. */
export interface ChunkMetrics {
  readonly engine: EngineName;
  /** How long it waited for a worker. */
  readonly queueMs: number;
  /** How long a worker computed for it. */
  readonly busyMs: number;
  readonly audioSeconds: number;
  /** `left`: the client did not wait for the end. */
  readonly outcome: "done" | "failed" | "left";
}

/** Text to speech. Every interface of the service uses this one path. */
export interface Speech {
  /** Stock voices whose models are installed, the default one first. */
  voices(): readonly Voice[];
  /** Finds a voice by id or slug. */
  findVoice(reference: string): Voice | undefined;
  /** The default voice: of all, of an engine, or for a language (BCP 47). Undefined when no installed voice fits. */
  defaultVoice(engine?: EngineName, language?: string): Voice | undefined;
  /**
   * Throws `SpeechError` (`overloaded`) when one more such stream could not be kept ahead of its playback, after a short wait.
   * For a check before other work starts; `speak` and `speakLive` check again, by the same rule.
   */
  waitForCapacity(settings: SpeechSettings, text: string, signal: AbortSignal): Promise<void>;
  /** Synthesizes a text. Throws `SpeechError`; ends early when the signal aborts. */
  speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<SpeechPart>;
  /** Synthesizes text while it arrives. Waits for more context as long as the client still has audio to play. */
  speakLive(
    settings: SpeechSettings,
    input: AsyncIterable<LiveInput>,
    signal: AbortSignal,
    hooks?: LiveHooks,
  ): AsyncIterable<SpeechPart>;
  /** Checks again which models are installed, and starts engines that have become available. */
  refresh(): Promise<void>;
  /** The worker processes that are ready. */
  workers(): readonly { readonly engine: EngineName; readonly pid: number }[];
  /** Chunks of text without any audio yet, by engine. */
  queued(): readonly { readonly engine: EngineName; readonly chunks: number }[];
  /** The share of the capacity that is in use, from 0; at 1, no further stream fits. */
  capacityUsed(): number;
  /** Ends the worker processes. */
  close(): Promise<void>;
}
