import { openTogether } from "../../../lib/open-together.ts";
import { loadSpeakerNetwork, meanVectorOf, type SpeakerNetwork } from "../speaker-network.ts";
import { loadXVector } from "../xvector/xvector.ts";
import type { SpeakerFiles, SpeakerVectors } from "./speaker-files.ts";

/** The vectors that distances are computed from, without gradients. */
export interface SpeakerMeasure {
  /** `samples`: speech of any length at 8 kHz. */
  vectorsOf(samples: Float32Array, signal: AbortSignal): Promise<SpeakerVectors>;
  close(): Promise<void>;
}

/** In sessions of their own: those with gradients take twice the time. */
export async function loadSpeakerVectors(files: SpeakerFiles, threads = 1): Promise<SpeakerMeasure> {
  const { xvector, networks } = await openTogether(async (onFailure) => {
    const xvector = await loadXVector(files.xvector, threads);
    onFailure(xvector.close);
    const networks: SpeakerNetwork[] = [];
    for (const file of files.networks) {
      const network = await loadSpeakerNetwork(file, threads);
      onFailure(network.close);
      networks.push(network);
    }
    return { xvector, networks };
  });
  return {
    async vectorsOf(samples, signal) {
      signal.throwIfAborted();
      // First, since it refuses audio that is too short for any of them.
      const byXVector = await xvector.embed(samples);
      const vectors: Float32Array[] = [];
      for (const network of networks) vectors.push(await meanVectorOf(network, samples, signal));
      return { xvector: byXVector, networks: vectors };
    },
    async close() {
      await Promise.all([xvector, ...networks].map((network) => network.close()));
    },
  };
}
