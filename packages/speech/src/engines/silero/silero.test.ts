import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { concatSamples } from "../../testing/signals.ts";
import { chunkSamples, leadChunks } from "./chunks.ts";
import { loadSilero } from "./silero.ts";

test("lanes and parts give the same probabilities as one pass", async (t) => {
  const models = await testModels("silero-vad", "test-speech");
  const samples = concatSamples(realSpeech(models).map(({ path }) => decodeAudio(readFileSync(path)).samples));
  const detector = await loadSilero(models.path("silero-vad", "model.onnx"));
  const whole = await detector.probabilities(samples, 0, t.signal);
  assert.equal(whole.length, Math.ceil(samples.length / chunkSamples));

  // Each part has a long lead, and is short enough for one lane.
  const apart: number[] = [];
  for (let from = 0; from < samples.length; from += 100 * chunkSamples) {
    const lead = Math.min(from, 4 * leadChunks * chunkSamples);
    const part = samples.subarray(from - lead, Math.min(samples.length, from + 100 * chunkSamples));
    apart.push(...(await detector.probabilities(part, lead, t.signal)));
  }
  await detector.close();
  const different = whole.filter((probability, chunk) => probability > 0.5 !== (apart[chunk] ?? 0) > 0.5);
  assert.ok(different.length <= whole.length * 0.01, `${different.length} of ${whole.length} chunks differ`);
  assert.ok(whole.filter((probability) => probability > 0.5).length > whole.length / 2, "most of it is speech");
});

test("digital silence has no speech, and what is spoken after it is detected as before", async (t) => {
  const models = await testModels("silero-vad", "test-speech");
  const [first] = realSpeech(models);
  assert.ok(first);
  const spoken = decodeAudio(readFileSync(first.path)).samples;
  const speech = spoken.subarray(0, spoken.length - (spoken.length % chunkSamples));
  const detector = await loadSilero(models.path("silero-vad", "model.onnx"));
  const alone = await detector.probabilities(speech, 0, t.signal);
  const silence = new Float32Array(2000 * chunkSamples);
  const whole = await detector.probabilities(concatSamples([speech, silence, speech]), 0, t.signal);
  await detector.close();
  const end = alone.length + 2000;
  // The network would give small values. Lanes that reach into speech are left out of the comparison.
  assert.ok(whole.subarray(alone.length + 400, end - 400).every((probability) => probability === 0));
  const isSpeech = (probabilities: Float32Array): boolean[] => Array.from(probabilities, (value) => value > 0.5);
  const differences = isSpeech(whole.subarray(end)).filter((value, chunk) => value !== isSpeech(alone)[chunk]);
  assert.ok(differences.length <= alone.length * 0.02, `${differences.length} of ${alone.length} chunks differ`);
});
