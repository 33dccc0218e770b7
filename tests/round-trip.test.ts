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

interface Voicing {
  readonly engine: EngineName;
  readonly quality?: SynthesisQuality;
  readonly sentences: readonly string[];
  readonly most: number;
}

const voicings: readonly Voicing[] = [
  { engine: "piper", sentences, most: 0.08 },
  { engine: "kokoro", sentences, most: 0.05 },
  // As slow as speech itself: a few tell that it works.
  { engine: "kokoro", quality: "full", sentences: sentences.slice(0, 3), most: 0.05 },
];

describe("what is spoken is understood by a recogniser", () => {
  let models: ModelStore;
  let recognizer: Recognizer;

  before(async () => {
    models = await testModels("piper-libritts", "kokoro-q8", "moonshine-base");
    recognizer = await loadMoonshine(moonshine.locate(models, "base"), 2);
  });
  after(() => recognizer.close());

  for (const { engine, quality = "fast", sentences, most } of voicings) {
    const name = quality === "full" ? `${engine}, full` : engine;
    test(`${name}: at most ${most * 100} % of the words are misheard`, async (t) => {
      const speech = await createSpeech({ models, engines: [engine], quality, keepAhead: false });
      t.after(() => speech.close());
      let errors = 0;
      let words = 0;
      for (const sentence of sentences) {
        const samples = await speakSamples(speech, sentence, { engine, sampleRate: recognizer.sampleRate });
        const { text: heard } = await recognizer.transcribe(samples, t.signal);
        const result = wordErrors(inWords(sentence), inWords(heard));
        if (result.errors > 0) t.diagnostic(`${sentence} → ${heard}`);
        errors += result.errors;
        words += result.words;
      }
      t.diagnostic(`word error rate ${((errors / words) * 100).toFixed(1)} %`);
      assert.ok(errors / words <= most, `${errors} of ${words} words`);
    });
  }
});

/** As spoken: a recogniser may write "$45" where we said it in words. */
function inWords(text: string): string {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  const chunks = [...planChunks(text, { ...options, languageOf: () => "en-us" })];
  return chunks.flatMap((chunk) => chunk.words.map((word) => word.text)).join(" ");
}
