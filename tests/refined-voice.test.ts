import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type ClonedSound, cloningEngine, createCloning, createSpeech, defaultRequest } from "@parlance/speech";
import { measureSpeaker, type SpeakerMeasurement } from "../bench/clone/measure-voice.ts";
import { loadSilero } from "../packages/speech/src/engines/silero/silero.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { realSpeech } from "../packages/speech/src/testing/real-speech.ts";
import { loadSpeakerNetwork } from "../packages/speech/src/voices/clone/speaker-network.ts";
import { cosine } from "../packages/speech/src/voices/clone/xvector/vectors.ts";
import { sentences } from "./sentences.ts";

const never = new AbortController().signal;

/** The reader of these clips is part of no training, and not one of the speakers by whom the refinement was chosen. */
test("a refined voice is nearer to recordings of its speaker that were not given", {
  timeout: 900_000,
}, async (context) => {
  const models = await testModels("kokoro-q8", "xvector", "silero-vad", "test-speech");
  const folder = await mkdtemp(join(tmpdir(), "parlance-refined-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const cloning = await createCloning({ models, minSeconds: 1, maxSeconds: 120 });
  context.after(() => cloning.close());
  const speech = await createSpeech({ models, engines: [cloningEngine.name] });
  context.after(() => speech.close());
  const detector = await loadSilero(models.path("silero-vad", "model.onnx"));
  const second = await loadSpeakerNetwork("bench/clone/speaker-network.onnx");
  context.after(() => second.close());
  const clips = realSpeech(models).filter(({ name }) => name !== "jfk");
  const isGiven = (name: string): boolean => /-(0870|0920)$/.test(name);
  const [given, held] = [true, false].map((wanted) =>
    clips.flatMap(({ name, path }) => (isGiven(name) === wanted ? [path] : [])),
  );
  const measure = (files: readonly string[]): Promise<SpeakerMeasurement> =>
    measureSpeaker({ cloning, second, detector }, files);

  async function spoken(voice: ClonedSound, name: string): Promise<SpeakerMeasurement> {
    const files: string[] = [];
    for (const [index, text] of sentences.slice(0, 6).entries()) {
      const output = { format: "wav", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
      const custom = { id: name, engine: cloningEngine.name, custom: voice };
      const parts: Uint8Array[] = [];
      const request = defaultRequest(text, custom, { output, language: "en", latency: "normal", seed: 1 });
      for await (const part of speech.speak(request, never)) parts.push(part.bytes);
      files.push(join(folder, `${name}-${index}.wav`));
      writeFileSync(files.at(-1) ?? "", Buffer.concat(parts));
    }
    return measure(files);
  }

  const request = { recordings: given ?? [], enhance: false, keepSpeech: true };
  const { voice, recordings } = await cloning.create(request, never);
  const kept = recordings.map(({ speech }, index) => {
    const file = join(folder, `${index}.ogg`);
    writeFileSync(file, speech ?? new Uint8Array());
    return file;
  });

  const outcome = await cloning.refine({ recordings: kept, voice, share: 1 }, never);

  assert.ok(outcome.voice && outcome.similarity, "the refinement is kept");
  const speaker = await measure(held ?? []);
  const [before, after] = [await spoken(voice, "before"), await spoken(outcome.voice, "after")];
  const similarity = (of: SpeakerMeasurement) => ({
    xvector: cosine(of.vector, speaker.vector),
    evaluation: cosine(of.second, speaker.second),
  });
  const [was, is] = [similarity(before), similarity(after)];
  context.diagnostic(`x-vector ${was.xvector.toFixed(3)} to ${is.xvector.toFixed(3)}`);
  context.diagnostic(`evaluation network ${was.evaluation.toFixed(3)} to ${is.evaluation.toFixed(3)}`);
  assert.ok(is.xvector > was.xvector, `by x-vector ${was.xvector}, then ${is.xvector}`);
  // No part of the refinement.
  assert.ok(is.evaluation > was.evaluation, `by the evaluation network ${was.evaluation}, then ${is.evaluation}`);
});
