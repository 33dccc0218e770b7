import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createSpeech, type EngineName, type Speech } from "@parlance/speech";
import { moonshineFiles } from "../packages/speech/src/engines/catalogue.ts";
import { loadMoonshine } from "../packages/speech/src/engines/moonshine/moonshine.ts";
import type { Recognizer } from "../packages/speech/src/engines/recognizer.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { speakSamples } from "../packages/speech/src/testing/speak-samples.ts";
import { wordErrors } from "../packages/speech/src/testing/word-errors.ts";
import { planChunks } from "../packages/speech/src/text/index.ts";
import { sentences } from "./sentences.ts";

const most: Readonly<Record<EngineName, number>> = { piper: 0.08, kokoro: 0.05 };

describe("what is spoken is understood by a recogniser", () => {
  let speech: Speech;
  let recognizer: Recognizer;

  before(async () => {
    const models = await testModels("piper-libritts", "kokoro-q8", "moonshine-base");
    speech = await createSpeech({ models });
    recognizer = await loadMoonshine(moonshineFiles(models), 2);
  });
  after(async () => {
    await speech.close();
    await recognizer.close();
  });

  for (const engine of ["piper", "kokoro"] as const) {
    test(`${engine}: at most ${most[engine] * 100} % of the words are misheard`, async (t) => {
      let errors = 0;
      let words = 0;
      for (const sentence of sentences) {
        const samples = await speakSamples(speech, sentence, { engine, sampleRate: recognizer.sampleRate });
        const heard = await recognizer.transcribe(samples, t.signal);
        const result = wordErrors(inWords(sentence), inWords(heard));
        if (result.errors > 0) t.diagnostic(`${sentence} → ${heard}`);
        errors += result.errors;
        words += result.words;
      }
      t.diagnostic(`word error rate ${((errors / words) * 100).toFixed(1)} %`);
      assert.ok(errors / words <= (most[engine] ?? 0), `${errors} of ${words} words`);
    });
  }
});

/** As spoken: a recogniser may write "$45" where we said it in words. */
function inWords(text: string): string {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  const chunks = [...planChunks(text, { ...options, languageOf: () => "en-us" })];
  return chunks.flatMap((chunk) => chunk.words.map((word) => word.text)).join(" ");
}
