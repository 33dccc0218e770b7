import type { SpeechChunk } from "../text/types.ts";

/** What an engine needs to know of a voice. Plain data: it is sent to a worker process. */
export interface EngineVoice {
  /** A language as espeak names it: "en-us", "pt-br". */
  readonly language: string;
  /**
   * The name of a voice of the model, a weighted mean of several, or numbers in the engine's own format: a speaker embedding,
   * a table of styles, or a timbre.
   */
  readonly embedding: string | Float32Array | readonly WeightedName[];
  /** Where `embedding` is a timbre: the name of the voice of the model that gives the prosody. */
  readonly prosody?: string | undefined;
  /** Its speed relative to the model's own; 1 by default. */
  readonly pace?: number;
  /** Its pitch relative to the model's own, in engines that can change it; 1 by default. */
  readonly pitch?: number | undefined;
  /** The range of its pitch relative to that of the prosody, in octaves; 1 by default. */
  readonly pitchRange?: number | undefined;
  /** What a voice with a timbre of its own adds inside the decoder, in the engine's own format. */
  readonly decoderOffsets?: Float32Array | undefined;
}

export interface WeightedName {
  readonly name: string;
  readonly weight: number;
}

export interface SynthesisOptions {
  /** 1 is the voice's own pace, 2 is twice as fast. */
  readonly speed: number;
  /** 0 to 1: how much random noise varies the speech. */
  readonly temperature: number;
  /** The same chunk, voice, options and seed give the same samples. */
  readonly seed: number;
}

/** When a word is spoken, in seconds from the chunk's first sample. `word` is its index in the chunk. */
export interface WordTiming {
  readonly word: number;
  readonly start: number;
  readonly end: number;
}

/** A window of speech. The first window has the timings of all words. */
export interface SpeechWindow {
  readonly samples: Float32Array;
  readonly timings?: readonly WordTiming[];
}

/** A loaded synthesis model. It runs in a worker process; each step of the iteration is one bounded piece of work. */
export interface Engine {
  readonly sampleRate: number;
  /** The name of any voice of the model, for the first run after loading. */
  readonly warmUpVoice: string;
  synthesize(
    chunk: SpeechChunk,
    voice: EngineVoice,
    options: SynthesisOptions,
    signal: AbortSignal,
  ): AsyncIterable<SpeechWindow>;
  close(): Promise<void>;
}
