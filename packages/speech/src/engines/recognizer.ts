/** A model that listens. It lives in a worker process. */
export interface Recognizer {
  /** Of the audio that it wants. */
  readonly sampleRate: number;
  /** The words of one stretch of speech, at most 30 seconds. */
  transcribe(samples: Float32Array, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}
