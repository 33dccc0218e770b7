/** A word as it was heard. */
export interface HeardWord {
  /** With its punctuation. */
  readonly text: string;
  /** Seconds from the first sample. */
  readonly start: number;
  readonly end: number;
  /** Whether it follows the word before it without a space, as in languages that write none. */
  readonly joined: boolean;
}

/** What a model made of one stretch of audio. */
export interface Heard {
  readonly text: string;
  readonly words: readonly HeardWord[];
  /** Mean logarithm of the probabilities of what was written: 0 is certainty, below −1 it is guessing. */
  readonly confidence: number;
  /** How likely it is that nobody speaks, where the model has an opinion. */
  readonly silence: number;
}

/** A model that listens. It lives in a worker process. */
export interface Recognizer {
  /** Of the audio that it wants. */
  readonly sampleRate: number;
  /**
   * The words of one stretch of speech, at most 30 seconds. The language (ISO 639-1) is for models that know more than one.
   * Throws the signal's reason soon after it aborts: between two tokens.
   */
  transcribe(samples: Float32Array, signal: AbortSignal, language?: string): Promise<Heard>;
  close(): Promise<void>;
}
