import assert from "node:assert/strict";
import { test } from "node:test";
import type { SpeakerFeatures } from "../speaker-features.ts";
import { createVoicesFor } from "./voices-for.ts";

test("a voice for other recordings differs as the embeddings do", { timeout: 20_000 }, async () => {
  const asked: SpeakerFeatures[] = [];
  const encoder = {
    async encode(features: SpeakerFeatures) {
      asked.push(features);
      const sum = (features.vector[0] ?? 0) + 10 * (features.networkVector?.values[0] ?? 0);
      return { embedding: Float32Array.of(sum, 1), encoder: "" };
    },
  };
  const speaker = (xvector: number, network: number) => ({
    xvector: Float32Array.of(xvector),
    networks: [Float32Array.of(network), Float32Array.of(99)],
  });
  const voice = { timbre: Float32Array.of(0.5, 0.25), offsets: Float32Array.of(0) };
  const voiceFor = await createVoicesFor(encoder, "v1", { voice, speaker: speaker(1, 2), pitch: 120 });
  assert.deepEqual(await voiceFor(speaker(1, 2)), voice);
  assert.deepEqual((await voiceFor(speaker(3, 4))).timbre, Float32Array.of(22.5, 0.25));
  assert.deepEqual([...voice.timbre], [0.5, 0.25]);
  assert.ok(asked.every(({ pitch, networkVector }) => pitch === 120 && networkVector?.network === "v1"));
});
