import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createSpeech, type EngineName, type ModelStore, type SynthesisQuality } from "@parlance/speech";
import { moonshine } from "../packages/speech/src/engines/moonshine/descriptor.ts";
import { loadMoonshine } from "../packages/speech/src/engines/moonshine/moonshine.ts";
import type { Recognizer } from "../packages/speech/src/engines/recognizer.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { speakSamples } from "../packages/speech/src/testing/speak-samples.ts";
import { wordErrors } from "../packages/speech/src/testing/word-errors.ts";
import { planChunks } from "../packages/speech/src/text/index.ts";
import { sentences } from "./sentences.ts";

interface Case {
  readonly engine: EngineName;
  readonly quality?: SynthesisQuality;
  readonly sentences: readonly string[];
  readonly maxShare: number;
}

/** With the numbers and dates. */
const spoken = [14, 15, 16, 19, 21, 23, 25, 27, 29].flatMap((index) => sentences[index] ?? []);

const cases: readonly Case[] = [
  { engine: "piper", sentences: spoken, maxShare: 0.08 },
  { engine: "kokoro", sentences: spoken, maxShare: 0.05 },
  // Hardly faster than real time, so only one sentence.
  { engine: "kokoro", quality: "full", sentences: sentences.slice(0, 1), maxShare: 0.1 },
];

describe("speech is recognized correctly", () => {
  let models: ModelStore;
  let recognizer: Recognizer;

  before(async () => {
    models = await testModels("piper-libritts", "kokoro-q8", "moonshine-base");
    recognizer = await loadMoonshine(moonshine.locate(models, "base"), 2);
  });
  after(() => recognizer.close());

  for (const { engine, quality = "fast", sentences, maxShare } of cases) {
    const name = quality === "full" ? `${engine}, full` : engine;
    test(`${name}: at most ${maxShare * 100} % word errors`, async (t) => {
      const speech = await createSpeech({ models, engines: [engine], quality, workers: 1, keepAhead: false });
      t.after(() => speech.close());
      let errors = 0;
      let words = 0;
      for (const sentence of sentences) {
        const samples = await speakSamples(speech, sentence, { engine, sampleRate: recognizer.sampleRate });
        const { text: recognized } = await recognizer.transcribe(samples, t.signal);
        const result = wordErrors(inWords(sentence), inWords(recognized));
        if (result.errors > 0) t.diagnostic(`${sentence} → ${recognized}`);
        errors += result.errors;
        words += result.words;
      }
      t.diagnostic(`word error rate ${((errors / words) * 100).toFixed(1)} %`);
      assert.ok(errors / words <= maxShare, `${errors} of ${words} words`);
    });
  }
});

/** Normalized to spoken words: a recognizer may write "$45" for spoken words. */
function inWords(text: string): string {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  const chunks = [...planChunks(text, { ...options, languageOf: () => "en-us" })];
  return chunks.flatMap((chunk) => chunk.words.map((word) => word.text)).join(" ");
}
