import type { XVectorFiles } from "../xvector/layers.ts";

/** The networks that a refined voice is compared by. */
export interface SpeakerFiles {
  readonly xvector: XVectorFiles;
  /** The paths of speaker networks. */
  readonly networks: readonly string[];
}

/** The vectors of a speaker, each of length 1. */
export interface SpeakerVectors {
  readonly xvector: Float32Array;
  /** In the order of the files. */
  readonly networks: readonly Float32Array[];
}
