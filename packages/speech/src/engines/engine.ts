import type { SpeechChunk } from "../text/types.ts";

/** What an engine needs to know of a voice. Plain data: it crosses the border to a worker process. */
export interface EngineVoice {
  /** A language as espeak names it: "en-us", "pt-br". */
  readonly language: string;
  /** The name of a voice that the model brings, or numbers: Piper a speaker vector (512), Kokoro a style table (510 × 256). */
  readonly embedding: string | Float32Array;
  /** How fast it speaks, against what the model does by itself; 1 when it is left out. */
  readonly pace?: number;
}

export interface SynthesisOptions {
  /** 1 is the voice's own pace, 2 twice as fast. */
  readonly speed: number;
  /** 0 – 1: how much the engine's own noise varies the speech. */
  readonly temperature: number;
  /** The same chunk, voice, options and seed give the same samples. */
  readonly seed: number;
}

/** When a word sounds, in seconds from the chunk's first sample. `word` is its index in the chunk. */
export interface WordTiming {
  readonly word: number;
  readonly start: number;
  readonly end: number;
}

/** A window of speech. The timings of all words come with the first window. */
export interface SpeechWindow {
  readonly samples: Float32Array;
  readonly timings?: readonly WordTiming[];
}

/** A model that speaks. It lives in a worker process; each step of the iteration is one bounded piece of work. */
export interface Engine {
  readonly sampleRate: number;
  /** The name of a voice that the model brings, for trying the engine out. */
  readonly someVoice: string;
  synthesize(
    chunk: SpeechChunk,
    voice: EngineVoice,
    options: SynthesisOptions,
    signal: AbortSignal,
  ): AsyncIterable<SpeechWindow>;
  close(): Promise<void>;
}
