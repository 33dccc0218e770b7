import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClonedSound, Cloning } from "@parlance/speech";

/** The version of the encoder that made its voices. */
export const INSTANT_ENCODER = "instant";
/** The version of the speaker network that it measures with. */
export const INSTANT_NETWORK = "instant network";

/**
 * Makes voices from any recording, in a moment. The real one needs models, and takes seconds for each voice. What is stored,
 * and when, is the same.
 */
export const instantCloning: Cloning = {
  missingModels: () => [],
  requestModels: async () => {},
  prepare: () => {},
  async create({ recordings }, signal) {
    await sleep(Math.random() * 30, undefined, { signal });
    const analyzed = recordings.map(async (file) => ({
      speech: await readFile(file),
      speechSeconds: 1,
      pitch: 120,
      pitchRange: 0.4,
      vector: new Float32Array(128),
      networkVector: { values: new Float32Array(128), network: INSTANT_NETWORK },
      clipped: 0,
      halvesSimilarity: undefined,
    }));
    return { recordings: await Promise.all(analyzed), voice: voiceOf(1) };
  },
  async remake(_recordings, signal) {
    await sleep(Math.random() * 30, undefined, { signal });
    return voiceOf(2);
  },
  networkVectorOf: async () => ({ values: new Float32Array(128).fill(3), network: INSTANT_NETWORK }),
  canRefine: () => false,
  refine: async () => ({ voice: undefined, similarity: undefined }),
  encoderVersion: async () => INSTANT_ENCODER,
  speakerNetworkVersion: async () => INSTANT_NETWORK,
  refresh: async () => {},
  close: async () => {},
};

function voiceOf(value: number): ClonedSound {
  return {
    embedding: new Float32Array(128).fill(value),
    prosody: "af_heart",
    pitch: 1,
    pitchRange: 1,
    pace: 1,
    encoder: INSTANT_ENCODER,
  };
}
