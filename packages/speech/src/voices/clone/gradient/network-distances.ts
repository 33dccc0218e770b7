import { readFile } from "node:fs/promises";
import { openTogether } from "../../../lib/open-together.ts";
import { MEL_BANDS, melBands, melBandsGradient } from "../mel-bands.ts";
import { gainOf } from "../speaker-network.ts";
import { sumOf } from "../xvector/vectors.ts";
import { openVectorNetwork, type VectorNetwork } from "./open-vector-network.ts";

/** Speaker networks, which have the same features. */
export interface NetworkDistances {
  /** `samples`: at 8 kHz. `targets`: the vectors of the speaker, one of each network. */
  distances(
    samples: Float32Array,
    targets: readonly Float32Array[],
  ): Promise<{
    /** 1 minus the cosine of the vectors, for each network. */
    readonly distances: readonly number[];
    /** Of their sum, by each sample. */
    readonly gradient: Float32Array;
  }>;
  close(): Promise<void>;
}

/** In a single window. The gain to the level of the training counts as constant. */
export async function loadNetworkDistances(files: readonly string[], threads: number): Promise<NetworkDistances> {
  const networks = await openTogether(async (onFailure) => {
    const opened: VectorNetwork[] = [];
    for (const file of files) {
      const network = await openVectorNetwork(await readFile(file), threads);
      onFailure(network.close);
      opened.push(network);
    }
    return opened;
  });
  return {
    async distances(samples, targets) {
      if (targets.length !== networks.length)
        throw new RangeError(`${targets.length} vectors for ${networks.length} speaker networks`);
      const gain = gainOf(samples);
      const speech = samples.map((sample) => sample * gain);
      const bands = melBands(speech);
      const distances: number[] = [];
      const parts: { values: Float32Array; weight: number }[] = [];
      for (const [i, network] of networks.entries()) {
        const { distance, byFeatures } = await network.run(bands, MEL_BANDS, targets[i] ?? new Float32Array(0));
        distances.push(distance);
        parts.push({ values: byFeatures, weight: gain });
      }
      return { distances, gradient: melBandsGradient(speech, sumOf(parts)) };
    },
    async close() {
      await Promise.all(networks.map((network) => network.close()));
    },
  };
}
