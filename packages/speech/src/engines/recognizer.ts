import type { Model } from "../models/model.ts";
import type { ModelStore } from "../models/store.ts";
import type { ModelFiles } from "./descriptor.ts";

/** A word of a transcript. */
export interface RecognizedWord {
  /** With its punctuation. */
  readonly text: string;
  /** Seconds from the first sample. */
  readonly start: number;
  readonly end: number;
  /** Whether it follows the previous word without a space, as in languages that write none. */
  readonly joined: boolean;
  /** The probability of its least likely token, from 0 to 1, where the model estimates it. */
  readonly probability?: number;
  /** The tokens of the model that it consists of, where they were wanted. */
  readonly tokens?: readonly number[];
}

/** What a model recognized in one span of speech. */
export interface RecognizedSpeech {
  readonly text: string;
  readonly words: readonly RecognizedWord[];
  /** Mean log probability of the tokens: 0 is certainty, below −1 it is guessing. */
  readonly confidence: number;
  /** The probability that there is no speech, where the model estimates it; otherwise 0. */
  readonly silence: number;
  /** The probability that a sentence ends behind the last word, where it was wanted and the model estimates it. */
  readonly sentenceEnd?: number;
  /** How many of the first words are those of `known.context`: all of them, or none where the audio says something else. */
  readonly contextWords?: number;
  /** Whether some of these words replace words of the context, so that their number may differ. */
  readonly isRevised?: boolean;
}

/** What an earlier decoding found in the same audio: tokens of words, of which the first ones are certain. */
export interface KnownTokens {
  /** Of words that do not change any more. The audio is not decoded before their end, unless it says something else. */
  readonly context: readonly (readonly number[])[];
  /** Of words behind them. They are kept as long as they are the likeliest ones. */
  readonly draft: readonly number[];
  /** How many of these were shown: they are kept as long as no others are clearly likelier. */
  readonly shown?: number;
  /** The first word of the context that is replaced where another one is clearly likelier. Undefined: none of them is. */
  readonly revisedFrom?: number | undefined;
  /** Of words before the audio: whether a sentence has ended depends on all of it. */
  readonly before?: readonly number[];
}

export interface TranscribeOptions {
  /** Models that can do so estimate whether the last sentence has ended. */
  readonly judgesEnd?: boolean | undefined;
  /** The words get their tokens, for the next decoding. For models that start from known tokens. */
  readonly known?: KnownTokens | undefined;
}

export interface LanguageGuess {
  /** ISO 639-1. */
  readonly language: string;
  /** From 0 to 1. */
  readonly probability: number;
}

/** `translate` writes in English what is said in another language. */
export type RecognitionTask = "transcribe" | "translate";

/** What helps to recognize a recording. */
export interface RecognitionHints {
  /** A text before the recording, or like it: its spelling and style are kept. */
  readonly prompt?: string | undefined;
  /** Words that are likely in the recording, as they are spelled. */
  readonly keywords?: readonly string[] | undefined;
}

/** A loaded recognition model. It runs in a worker process. */
export interface Recognizer {
  /** The sample rate of the audio that it accepts. */
  readonly sampleRate: number;
  /**
   * Recognizes one span of speech of at most 30 seconds. The language (ISO 639-1) is for models that know several, the task
   * for those that translate. Hints are for models whose descriptor says `takesHints`.
   * Throws the signal's reason soon after it aborts, between two tokens.
   */
  transcribe(
    samples: Float32Array,
    signal: AbortSignal,
    language?: string,
    task?: RecognitionTask,
    hints?: RecognitionHints,
    options?: TranscribeOptions,
  ): Promise<RecognizedSpeech>;
  /** Loads what only live audio needs. */
  prepareLive?(): Promise<void>;
  /** The likeliest languages, the likeliest first. Present where the descriptor says `detectsLanguage`. */
  detectLanguage?(samples: Float32Array): Promise<LanguageGuess[]>;
  close(): Promise<void>;
}

export const RECOGNIZER_SIZES = ["tiny", "base", "small"] as const;

/** The size of a model that exists in several. */
export type RecognizerSize = (typeof RECOGNIZER_SIZES)[number];

/** Everything that the rest of the package knows about a recognizer. Its code is loaded by `load` only. */
export interface RecognizerDescriptor<Name extends string = string, Files extends ModelFiles = ModelFiles> {
  readonly name: Name;
  /** All models of the recognizer. */
  readonly models: readonly Model[];
  /** ISO 639-1. */
  readonly languages: readonly string[];
  readonly detectsLanguage: boolean;
  /** Translates its languages into English. */
  readonly translates: boolean;
  /** Uses the hints of a request. */
  readonly takesHints: boolean;
  /** Returns no text for audio without speech, so that it can check the audio for others that would invent some. */
  readonly rejectsNonSpeech: boolean;
  /** Busy seconds of a core for each second of a live stream, as assumed before it was measured. */
  readonly liveCost: number;
  /** Documentation of the setting of its size; present on the recognizer whose model exists in several. */
  readonly sizeMeaning?: string;
  /** The id of the model that is needed. */
  model(size: RecognizerSize): string;
  /** Called when that model is installed. */
  locate(models: ModelStore, size: RecognizerSize): Files;
  load(files: Files, threads: number): Promise<Recognizer>;
}
