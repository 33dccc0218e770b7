import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createSpeech } from "@parlance/speech";
import { understood } from "../bench/languages/compare.ts";
import type { Recognizer } from "../packages/speech/src/engines/recognizer.ts";
import { whisper } from "../packages/speech/src/engines/whisper/descriptor.ts";
import { loadWhisper } from "../packages/speech/src/engines/whisper/whisper.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { speakSamples } from "../packages/speech/src/testing/speak-samples.ts";

const sentence = "मेरा भाई शहर के एक छोटे अस्पताल में काम करता है।";

describe("Whisper base, with Hindi speech", { timeout: 120_000 }, () => {
  let recognizer: Recognizer;
  let samples: Float32Array;
  before(async () => {
    const models = await testModels("kokoro-q8", "whisper-base");
    recognizer = await loadWhisper(whisper.locate(models, "base"), 2);
    const speech = await createSpeech({ models, engines: ["kokoro"], workers: 1, keepAhead: false });
    const options = { engine: "kokoro", sampleRate: recognizer.sampleRate, voiceByLanguage: true } as const;
    samples = await speakSamples(speech, sentence, options);
    await speech.close();
  });
  after(() => recognizer.close());

  test("writes it in Devanagari, with times within the audio", async (t) => {
    const { text, words } = await recognizer.transcribe(samples, t.signal, "hi");
    assert.match(text, /^[\p{Script=Devanagari}\s\p{P}]+$/u);
    assert.ok((await understood(sentence, text, "hi")) > 0.8, text);
    for (const [index, { start, end }] of words.entries())
      assert.ok(start <= end && start >= (words[index - 1]?.end ?? 0) && end <= samples.length / recognizer.sampleRate);
  });

  test("writes it in Arabic letters as Urdu", async (t) => {
    const { text } = await recognizer.transcribe(samples, t.signal, "ur");
    assert.match(text, /^[\p{Script=Arabic}\s\p{P}]+$/u);
  });
});
