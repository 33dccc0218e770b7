import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cloning } from "@parlance/speech";

/**
 * Makes voices from any recording, in a moment. The real one needs models, and takes seconds for each voice. What is stored,
 * and when, is the same.
 */
export const instantCloning: Cloning = {
  missingModels: () => [],
  requestModels: async () => {},
  async create({ recordings }, signal) {
    await sleep(Math.random() * 30, undefined, { signal });
    const analyzed = recordings.map(async (file) => ({
      speech: await readFile(file),
      speechSeconds: 1,
      pitch: 120,
      vector: new Float32Array(512),
      clipped: 0,
      halvesSimilarity: undefined,
    }));
    return {
      recordings: await Promise.all(analyzed),
      embedding: new Float32Array(512).fill(1),
      closerSpeaker: undefined,
      pace: 1,
    };
  },
  async refine(_request, signal) {
    await sleep(Math.random() * 30, undefined, { signal });
    return { embedding: new Float32Array(512).fill(2), pace: 1, similarity: 0.9, initialSimilarity: 0.8 };
  },
  refresh: async () => {},
  close: async () => {},
};
