import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { wordErrors } from "../../testing/word-errors.ts";
import type { Recognizer } from "../recognizer.ts";
import { whisper as descriptor } from "./descriptor.ts";
import { isoCode, whisperCode, whisperLanguages } from "./languages.ts";
import { parseSettings } from "./settings.ts";
import { loadWhisper } from "./whisper.ts";

describe("Whisper", () => {
  let whisper: Recognizer;
  let samples: Float32Array;
  let text: string;
  before(async () => {
    const models = await testModels("whisper-base", "test-speech");
    whisper = await loadWhisper(descriptor.locate(models, "base"), 2);
    const clip = realSpeech(models)[4];
    assert.ok(clip);
    samples = decodeAudio(readFileSync(clip.path)).samples;
    text = clip.text;
  });
  after(() => whisper.close());

  test("detects the language and transcribes audio shorter than 30 seconds", async (t) => {
    const [first] = (await whisper.detectLanguage?.(samples)) ?? [];
    assert.ok(first?.language === "en" && first.probability > 0.9);
    const result = await whisper.transcribe(samples, t.signal, "en");
    assert.equal(wordErrors(text, result.text).errors, 0, result.text);
    assert.ok(result.confidence > -0.5 && result.silence < 0.5);
    assert.match(result.text, /^[A-Z].*\.$/);
  });

  test("words are in order and within the audio", async (t) => {
    const { words } = await whisper.transcribe(samples, t.signal, "en");
    words.forEach((word, index) => {
      assert.ok(word.start >= (words[index - 1]?.start ?? 0) && word.end >= word.start, word.text);
      assert.ok(word.end <= samples.length / whisper.sampleRate, word.text);
    });
  });

  test("refuses an unknown language and names it", async (t) => {
    await assert.rejects(whisper.transcribe(samples, t.signal, "xx"), /"xx"/);
  });
});

test("every offered language has a token", async () => {
  const files = descriptor.locate(await testModels("whisper-base"), "base");
  const { languages } = parseSettings(readFileSync(files.config, "utf8"), readFileSync(files.generation, "utf8"));
  for (const code of whisperLanguages) assert.ok(languages.has(whisperCode(code)), code);
  const without = [...languages.keys()].filter((code) => isoCode(code) === undefined);
  assert.deepEqual(without, ["haw"]);
});
