import { readFile } from "node:fs/promises";
import { MEL_BANDS, melBands, melBandsGradient } from "../mel-bands.ts";
import { gainOf } from "../speaker-network.ts";
import { openVectorNetwork } from "./open-vector-network.ts";
import type { VectorDistance } from "./vector-distance.ts";

/** By the speaker network, in a single window. The gain to the level of the training counts as constant. */
export async function loadNetworkDistance(file: string, threads: number): Promise<VectorDistance> {
  const network = await openVectorNetwork(await readFile(file), threads);
  return {
    async distance(samples, target) {
      const gain = gainOf(samples);
      const speech = samples.map((sample) => sample * gain);
      const { distance, byFeatures } = await network.run(melBands(speech), MEL_BANDS, target);
      const gradient = melBandsGradient(speech, byFeatures);
      return { distance, gradient: gradient.map((value) => value * gain) };
    },
    close: network.close,
  };
}
