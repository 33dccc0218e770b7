import { readLayers, type XVectorFiles } from "../xvector/layers.ts";
import { MFCC_SIZE, mfcc, mfccGradient } from "../xvector/mfcc.ts";
import { speechFrames, speechFramesGradient } from "../xvector/speech-frames.ts";
import { vectorNetwork } from "../xvector/vector-network.ts";
import { openVectorNetwork } from "./open-vector-network.ts";
import type { VectorDistance } from "./vector-distance.ts";

/** By the x-vector. Which frames are loud enough to be speech counts as constant. */
export async function loadXVectorDistance(files: XVectorFiles, threads: number): Promise<VectorDistance> {
  const network = await openVectorNetwork(vectorNetwork(await readLayers(files)), threads);
  return {
    async distance(samples, target) {
      const features = mfcc(samples);
      const { columns, kept } = speechFrames(features);
      const { distance, byFeatures } = await network.run(columns, MFCC_SIZE, target);
      const count = features.length / MFCC_SIZE;
      return { distance, gradient: mfccGradient(samples, speechFramesGradient(byFeatures, { kept, count })) };
    },
    close: network.close,
  };
}
