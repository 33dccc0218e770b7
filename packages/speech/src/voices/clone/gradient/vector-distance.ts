/** How far the voice of some speech is from a speaker. */
export interface DistanceGradient {
  /** 1 minus the cosine of the vector of the speech and that of the speaker. */
  readonly distance: number;
  /** By each sample. */
  readonly gradient: Float32Array;
}

/** A network for speaker vectors, with the gradient of the distance to a speaker by the samples. */
export interface VectorDistance {
  /** `samples`: at 8 kHz. `target`: the vector of the speaker, of length 1. */
  distance(samples: Float32Array, target: Float32Array): Promise<DistanceGradient>;
  close(): Promise<void>;
}
