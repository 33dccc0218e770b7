import { openTogether } from "../../../lib/open-together.ts";
import { sumOf } from "../xvector/vectors.ts";
import { loadNetworkDistances } from "./network-distances.ts";
import type { SpeakerFiles, SpeakerVectors } from "./speaker-files.ts";
import { loadXVectorDistance } from "./xvector-distance.ts";

export interface DistanceWeights {
  readonly xvector: number;
  /** That of each speaker network. */
  readonly network: number;
}

export interface SpeakerDistances {
  /** 1 minus the cosine of the x-vectors. */
  readonly xvector: number;
  /** 1 minus the cosine of the vectors of each speaker network. */
  readonly networks: readonly number[];
  /** Of the sum of all, each times its weight, by each sample. */
  readonly gradient: Float32Array;
}

/** How far speech is from a speaker, and how each of its samples changes that. */
export interface SpeakerGradients {
  /** `samples`: a few seconds at 8 kHz. Memory grows with their length. */
  distances(samples: Float32Array, target: SpeakerVectors, weights: DistanceWeights): Promise<SpeakerDistances>;
  close(): Promise<void>;
}

export async function loadSpeakerGradients(files: SpeakerFiles, threads = 1): Promise<SpeakerGradients> {
  const { xvector, networks } = await openTogether(async (onFailure) => {
    const xvector = await loadXVectorDistance(files.xvector, threads);
    onFailure(xvector.close);
    return { xvector, networks: await loadNetworkDistances(files.networks, threads) };
  });
  return {
    async distances(samples, target, weights) {
      const byXVector = await xvector.distance(samples, target.xvector);
      const byNetworks = await networks.distances(samples, target.networks);
      return {
        xvector: byXVector.distance,
        networks: byNetworks.distances,
        gradient: sumOf([
          { values: byXVector.gradient, weight: weights.xvector },
          { values: byNetworks.gradient, weight: weights.network },
        ]),
      };
    },
    async close() {
      await Promise.all([xvector.close(), networks.close()]);
    },
  };
}
