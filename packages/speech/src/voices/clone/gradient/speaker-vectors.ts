import { loadSpeakerNetwork, meanVectorOf } from "../speaker-network.ts";
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
  const xvector = await loadXVector(files.xvector, threads);
  const networks = await Promise.all(files.networks.map((file) => loadSpeakerNetwork(file, threads)));
  return {
    async vectorsOf(samples, signal) {
      signal.throwIfAborted();
      const vectors: Float32Array[] = [];
      for (const network of networks) vectors.push(await meanVectorOf(network, samples, signal));
      signal.throwIfAborted();
      return { xvector: await xvector.embed(samples), networks: vectors };
    },
    async close() {
      await Promise.all([xvector, ...networks].map((network) => network.close()));
    },
  };
}
