import type { XVectorFiles } from "../xvector/layers.ts";
import { sumOf } from "../xvector/vectors.ts";
import { loadNetworkDistance } from "./network-distance.ts";
import { loadXVectorDistance } from "./xvector-distance.ts";

/** The vectors of a speaker, each of length 1. */
export interface SpeakerVectors {
  readonly xvector: Float32Array;
  readonly networkVector: Float32Array;
}

export interface DistanceWeights {
  readonly byXVector: number;
  readonly byNetwork: number;
}

export interface SpeakerDistances {
  /** 1 minus the cosine of the x-vectors. */
  readonly byXVector: number;
  /** 1 minus the cosine of the vectors of the speaker network. */
  readonly byNetwork: number;
  /** Of the sum of both, each times its weight, by each sample. */
  readonly gradient: Float32Array;
}

/** How far speech is from a speaker, and how each of its samples changes that. */
export interface SpeakerGradients {
  /** `samples`: a few seconds at 8 kHz. Memory grows with their length. */
  distances(samples: Float32Array, target: SpeakerVectors, weights?: DistanceWeights): Promise<SpeakerDistances>;
  close(): Promise<void>;
}

export interface SpeakerGradientFiles {
  readonly xvector: XVectorFiles;
  readonly speakerNetwork: string;
}

export async function loadSpeakerGradients(files: SpeakerGradientFiles, threads = 1): Promise<SpeakerGradients> {
  const xvector = await loadXVectorDistance(files.xvector, threads);
  const network = await loadNetworkDistance(files.speakerNetwork, threads);
  return {
    async distances(samples, target, weights = { byXVector: 1, byNetwork: 1 }) {
      const byXVector = await xvector.distance(samples, target.xvector);
      const byNetwork = await network.distance(samples, target.networkVector);
      return {
        byXVector: byXVector.distance,
        byNetwork: byNetwork.distance,
        gradient: sumOf([
          { values: byXVector.gradient, weight: weights.byXVector },
          { values: byNetwork.gradient, weight: weights.byNetwork },
        ]),
      };
    },
    async close() {
      await Promise.all([xvector.close(), network.close()]);
    },
  };
}
