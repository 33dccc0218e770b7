import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { isoCode, languageNames, whisperCode } from "../engines/whisper/languages.ts";
import { parseSettings } from "../engines/whisper/settings.ts";
import { loadWhisper, type Whisper } from "../engines/whisper/whisper.ts";
import { decodeAudio } from "../testing/decode-audio.ts";
import { testModels } from "../testing/models.ts";
import { realSpeech } from "../testing/real-speech.ts";
import { wordErrors } from "../testing/word-errors.ts";
import { whisperFiles } from "./installed.ts";

describe("Whisper", () => {
  let whisper: Whisper;
  let samples: Float32Array;
  let text: string;
  before(async () => {
    const models = await testModels("whisper-base", "test-speech");
    whisper = await loadWhisper(whisperFiles(models, "base"), 2);
    const clip = realSpeech(models)[4];
    assert.ok(clip);
    samples = decodeAudio(readFileSync(clip.path)).samples;
    text = clip.text;
  });
  after(() => whisper.close());

  test("tells the language and writes what is said, without listening to 30 seconds", async (t) => {
    const [first] = await whisper.detect(samples);
    assert.ok(first?.language === "en" && first.probability > 0.9);
    const heard = await whisper.transcribe(samples, t.signal, "en");
    assert.equal(wordErrors(text, heard.text).errors, 0, heard.text);
    assert.ok(heard.confidence > -0.5 && heard.silence < 0.5);
    assert.match(heard.text, /^[A-Z].*\.$/);
  });

  test("words are in order and within the audio", async (t) => {
    const { words } = await whisper.transcribe(samples, t.signal, "en");
    words.forEach((word, index) => {
      assert.ok(word.start >= (words[index - 1]?.start ?? 0) && word.end >= word.start, word.text);
      assert.ok(word.end <= samples.length / whisper.sampleRate, word.text);
    });
  });

  test("refuses a language that it does not know by name", async (t) => {
    await assert.rejects(whisper.transcribe(samples, t.signal, "xx"), /"xx"/);
  });
});

test("every language has a name, and every ISO code its token", async () => {
  const files = whisperFiles(await testModels("whisper-base"), "base");
  const { languages } = parseSettings(readFileSync(files.config, "utf8"), readFileSync(files.generation, "utf8"));
  for (const code of Object.keys(languageNames)) assert.ok(languages.has(whisperCode(code)), code);
  const without = [...languages.keys()].filter((code) => isoCode(code) === undefined);
  assert.deepEqual(without, ["haw"]);
});
