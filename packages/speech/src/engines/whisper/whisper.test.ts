import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { wordErrors } from "../../testing/word-errors.ts";
import type { RecognitionHints, Recognizer } from "../recognizer.ts";
import { whisper as descriptor } from "./descriptor.ts";
import { isoCode, whisperCode, whisperLanguages } from "./languages.ts";
import { parseSettings } from "./settings.ts";
import { parseWhisperVocabulary } from "./vocabulary.ts";
import { loadWhisper } from "./whisper.ts";

describe("Whisper", () => {
  let whisper: Recognizer;
  let samples: Float32Array;
  let text: string;
  let named: { readonly samples: Float32Array; readonly text: string };
  before(async () => {
    const models = await testModels("whisper-base", "test-speech");
    whisper = await loadWhisper(descriptor.locate(models, "base"), 2);
    const [first, , , , clip] = realSpeech(models);
    assert.ok(first && clip);
    named = { samples: decodeAudio(readFileSync(first.path)).samples, text: first.text };
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

  test("spells a name as a keyword or the prompt does", async (t) => {
    const transcribe = async (hints: RecognitionHints) =>
      (await whisper.transcribe(named.samples, t.signal, "en", "transcribe", hints)).text;
    assert.match(await transcribe({}), /John Dashwood had/);
    assert.match(await transcribe({ keywords: ["Dashwoode"] }), /John Dashwoode had/);
    assert.match(await transcribe({ prompt: "Mr. Jon Dashwoode." }), /Dashwoode had/);
  });

  test("recognizes the same words with keywords that are not said, however many", async (t) => {
    const absent = ["Nguyen", "Siobhan", "Kubernetes", "Leicester", "mandarin", "amber", "Heidi", "conifer"];
    for (const keywords of [absent, Array.from({ length: 200 }, (_, index) => `${absent[index % 8]}-${index}`)]) {
      const result = await whisper.transcribe(named.samples, t.signal, "en", "transcribe", { keywords });
      assert.ok(wordErrors(named.text.replace("mister", "mr"), result.text).errors <= 1, result.text);
    }
    const hints = { prompt: "The weather is fine today. ".repeat(1000) };
    const result = await whisper.transcribe(named.samples, t.signal, "en", "transcribe", hints);
    assert.ok(wordErrors(named.text.replace("mister", "mr"), result.text).errors <= 1, result.text);
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

test("texts are cut into the tokens of the model", async () => {
  const files = descriptor.locate(await testModels("whisper-base"), "base");
  const { encode, bytes } = parseWhisperVocabulary(readFileSync(files.tokenizer, "utf8"));
  assert.deepEqual(encode(" Hello, world!"), [2425, 11, 1002, 0]);
  const text = " Nguyễn Thị Hằng’s 2026 café: 今日は  now\n";
  assert.equal(Buffer.concat(encode(text).map(bytes)).toString(), text);
  assert.deepEqual(encode("x".repeat(10_000)), []);
});
