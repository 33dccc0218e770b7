import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { cloningEngine } from "../../engines/registry.ts";
import { createTranscription } from "../../recognition/index.ts";
import type { CustomVoice } from "../../speech.ts";
import { createSpeech } from "../../synthesis/create-speech.ts";
import { defaultRequest } from "../../synthesis/default-request.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { wordErrors } from "../../testing/word-errors.ts";
import { createCloning } from "./index.ts";
import { meanFeatures } from "./speaker-features.ts";
import { cosine } from "./xvector/vectors.ts";

const never = new AbortController().signal;
const SENTENCES = [
  "We heard a voice along the shore, but nothing moved except the gulls and the tide. " +
    "My grandmother's recipe calls for two cups of flour and a pinch of salt.",
  "El tren de la mañana sale a las siete y llega a la costa antes del mediodía.",
];
/** The maximum word error rate. Stock voices have 2 or 3 %, voices without clear vowels 25 % and more. */
const MAX_WORD_ERRORS = 0.12;

it("cloned voices sound like their speaker, have the pitch and are understood, in English and in Spanish", async (context) => {
  const recognizers = ["moonshine-base", "whisper-base"];
  const models = await testModels("kokoro-q8", "xvector", "silero-vad", ...recognizers, "test-speech");
  const transcription = await createTranscription({ models, minSeconds: 0.5, maxSeconds: 60 });
  context.after(() => transcription.close());
  const speech = await createSpeech({ models, engines: [cloningEngine.name], workers: 1, keepAhead: false });
  context.after(() => speech.close());
  const cloning = await createCloning({ models, minSeconds: 1, maxSeconds: 120 });
  context.after(() => cloning.close());
  const folder = await mkdtemp(join(tmpdir(), "parlance-similarity-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const create = (recordings: string[]) =>
    cloning.create({ recordings, enhance: false, keepSpeech: false }, never).then(({ recordings: heard, voice }) => ({
      voice,
      features: meanFeatures(heard.map((each) => ({ ...each, weight: each.speechSeconds }))),
    }));
  const speak = async (custom: CustomVoice, text: string) => {
    const output = { format: "wav", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
    const voice = { id: "clone", engine: cloningEngine.name, custom };
    const parts: Uint8Array[] = [];
    for await (const { bytes } of speech.speak(defaultRequest(text, voice, { output }), never)) parts.push(bytes);
    const file = join(folder, "spoken.wav");
    await writeFile(file, Buffer.concat(parts));
    const language = text === SENTENCES[0] ? "en" : "es";
    const transcript = await transcription.transcribe({ path: file, language, granularity: "segment" }, never);
    const { errors, words } = wordErrors(text, transcript.text);
    assert.ok(errors <= MAX_WORD_ERRORS * words, `${errors} of ${words} words: ${transcript.text}`);
    return (await create([file])).features;
  };
  const clip = (name: RegExp) => realSpeech(models).flatMap(({ name: each, path }) => (name.test(each) ? [path] : []));
  const reader = await create(clip(/-(0870|0920)$/));
  const kennedy = await create(clip(/jfk/));
  const other = await create(clip(/-(0880|0930)$/));
  for (const text of SENTENCES) {
    const [read, spoken] = [await speak(reader.voice, text), await speak(kennedy.voice, text)];
    // Recordings of the reader that the voice was not made from.
    const own = cosine(read.vector, other.features.vector);
    assert.ok(own > 0.4, `${own}: ${text}`);
    assert.ok(own > cosine(read.vector, kennedy.features.vector) + 0.1, text);
    assert.ok(own > cosine(spoken.vector, other.features.vector) + 0.1, text);
    for (const [voice, speaker] of [
      [read, reader.features],
      [spoken, kennedy.features],
    ] as const) {
      assert.ok(voice.pitch && speaker.pitch);
      assert.ok(Math.abs(Math.log2(voice.pitch / speaker.pitch)) < 0.35, `${voice.pitch} for ${speaker.pitch} Hz`);
    }
  }
});
