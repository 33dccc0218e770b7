import type { Pronouncer } from "../g2p/pronounce.ts";
import type { Model } from "../models/model.ts";
import type { ModelStore } from "../models/store.ts";
import type { Engine, EngineVoice } from "./engine.ts";

/** Paths of the files that an engine or a recognizer loads. */
export type ModelFiles = Readonly<Record<string, string>>;

/** `fast` unless an engine has a slower mode with better sound and `full` is requested. */
export type SynthesisQuality = "fast" | "full";

/** A stock voice, as its engine describes it. */
export interface StockVoiceDescription {
  /** A short name for people, unique among all engines. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** BCP 47. */
  readonly language: string;
  readonly gender: "female" | "male";
  readonly engineVoice: EngineVoice;
}

/** A language that every voice of an engine can speak. */
export interface EngineLanguage {
  /** BCP 47: "pt-BR". */
  readonly tag: string;
  /** As espeak names it: "pt-br". */
  readonly name: string;
}

/** What admission assumes before anything was measured. Rather too much than too little. */
export interface EngineCost {
  /** Seconds that a worker computes for one second of audio. */
  readonly busySecondsPerAudioSecond: number;
  /** The engine uses all cores for one text, so it gets a single worker. */
  readonly exclusive: boolean;
  /**
   * Threads that a worker has even if it has fewer cores, for a faster start while other workers are idle. More than one only
   * where their number does not change the samples.
   */
  readonly leastThreads: number;
}

/** What cloning needs to know of an engine. */
export interface CloningAssets {
  /** Numbers in the embedding of a cloned voice. */
  readonly embeddingSize: number;
  /** The weights of the decoder that cloned voices are made for. */
  readonly decoder: URL;
  /** Numbers that the refinement of a cloned voice adds inside the decoder. */
  readonly decoderOffsetsSize: number;
  /** The language of cloned voices, as espeak names it, where a text does not tell. */
  readonly language: string;
  /** The network that maps speaker features to an embedding. */
  readonly encoder: URL;
  /** The network of one of these features, a vector of the speaker beside the x-vector. */
  readonly speakerNetwork: URL;
  /** The stock voices that give cloned voices their prosody. Their language is `language`. */
  readonly prosodies: readonly {
    readonly slug: string;
    readonly lettersPerSecond: number;
    /** Of the pitch of what they say, between the quartiles, in octaves. */
    readonly pitchRange: number;
  }[];
}

/** Everything that the rest of the package knows about an engine. Its code is loaded by `load` only. */
export interface EngineDescriptor<Name extends string = string, Files extends ModelFiles = ModelFiles> {
  readonly name: Name;
  /** All models of the engine. */
  readonly models: readonly Model[];
  /** The id of the model that the engine cannot do without. */
  readonly requiredModel: string;
  /** The best voice first. */
  readonly voices: readonly StockVoiceDescription[];
  /** Languages of no voice. All voices speak them with an accent, and are understood. */
  readonly approximateLanguages?: readonly EngineLanguage[];
  /** The slug of the default voice by BCP 47 tag or language; "" where no language is given. */
  readonly defaultVoices: Readonly<Record<string, string>>;
  /** Mean loudness of its voices, in LUFS. */
  readonly loudness: number;
  /** Documentation of the setting that turns the engine off; present on one engine, see `settings.ts`. */
  readonly switchMeaning?: string;
  /** Documentation of the setting of its quality; present on the engine that has several. */
  readonly qualityMeaning?: string;
  /** Present on the engine that speaks with cloned voices. */
  readonly cloning?: CloningAssets;
  cost(quality: SynthesisQuality): EngineCost;
  /** Called when `requiredModel` is installed. */
  locate(models: ModelStore, quality: SynthesisQuality): Promise<Files>;
  load(files: Files, options: EngineLoadOptions): Promise<Engine>;
}

export interface EngineLoadOptions {
  readonly threads: number;
  readonly quality: SynthesisQuality;
  readonly pronounce: Pronouncer;
}
