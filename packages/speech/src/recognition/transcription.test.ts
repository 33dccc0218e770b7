import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createDecoder } from "../audio/decode/index.ts";
import type { Engine } from "../engines/engine.ts";
import { engineSpec, loadEngine } from "../engines/load.ts";
import { AudioError, SpeechError } from "../errors.ts";
import type { ModelStore } from "../models/index.ts";
import { chunkOf } from "../testing/chunks.ts";
import { testModels } from "../testing/models.ts";
import { soundsWithoutSpeech } from "../testing/music.ts";
import { type RealSpeech, realSpeech, startErrors } from "../testing/real-speech.ts";
import { concatSamples } from "../testing/signals.ts";
import { wordErrors } from "../testing/word-errors.ts";
import { writeWav } from "../testing/write-wav.ts";
import type { RecognizerName, Transcription } from "../transcript.ts";
import { createTranscription } from "./create-transcription.ts";
import { installedRecognizers } from "./installed.ts";
import { createRecognitionPool } from "./recognition-pool.ts";
import { transcribeSamples } from "./transcribe-samples.ts";

const never = new AbortController().signal;

let models: ModelStore;
let speech: readonly RealSpeech[];
let kennedy: RealSpeech;
let folder: string;
before(async () => {
  models = await testModels("silero-vad", "moonshine-base", "whisper-base", "kokoro-q8", "test-speech");
  speech = realSpeech(models);
  const last = speech.at(-1);
  assert.ok(last);
  kennedy = last;
  folder = mkdtempSync(join(tmpdir(), "parlance-recognition-"));
});
after(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, samples: Float32Array, sampleRate: number): string {
  const path = join(folder, `${name}.wav`);
  writeWav(path, samples, sampleRate);
  return path;
}

describe("speech to text", () => {
  let transcription: Transcription;
  before(async () => {
    transcription = await createTranscription({ models, workers: 2, queue: 2, minSeconds: 1, maxSeconds: 60 });
  });
  after(() => transcription.close());

  const errorsOf = async (engine: RecognizerName | undefined) => {
    let errors = 0;
    let words = 0;
    const starts: number[] = [];
    for (const clip of speech) {
      const result = await transcription.transcribe({ path: clip.path, granularity: "word", engine }, never);
      assert.equal(result.language, "en", clip.name);
      const counted = wordErrors(clip.text.replace("mister", "mr"), result.text);
      errors += counted.errors;
      words += counted.words;
      starts.push(...startErrors(result.segments, clip.words));
      result.segments.forEach(({ start, end }, index) => {
        assert.ok(start >= (result.segments[index - 1]?.end ?? 0) && end >= start && end <= result.duration);
      });
    }
    return { rate: errors / words, starts: starts.map(Math.abs).sort((a, b) => a - b) };
  };

  for (const engine of [undefined, "whisper"] as const) {
    test(`real English: a word error rate of at most 5 %, 19 of 20 starts within 0.2 s (${engine ?? "default"})`, async (t) => {
      const { rate, starts } = await errorsOf(engine);
      const mean = starts.reduce((sum, error) => sum + error, 0) / starts.length;
      const [p95 = 1, worst = 1] = [starts[Math.floor(starts.length * 0.95)], starts.at(-1)];
      t.diagnostic(`word errors ${(rate * 100).toFixed(1)} %`);
      t.diagnostic(
        `starts off by ${mean.toFixed(3)} s, 95 % ${p95.toFixed(3)}, worst ${worst.toFixed(3)}, of ${starts.length}`,
      );
      assert.ok(rate <= 0.05);
      assert.ok(starts.length > 60 && mean < 0.08 && p95 < 0.2 && worst < 0.25);
    });
  }

  test("segments are phrases with the same text, and progress never decreases", async () => {
    const shares: number[] = [];
    const request = {
      path: kennedy.path,
      granularity: "segment",
      onProgress: (share: number) => shares.push(share),
    } as const;
    const result = await transcription.transcribe(request, never);
    assert.equal(result.segments.map(({ text }) => text).join(" "), result.text);
    assert.ok(result.segments.length >= 2);
    for (const { start, end, text } of result.segments) assert.ok(end - start <= 7.01 && text.length <= 84, text);
    assert.equal(shares.at(-1), 1);
    assert.ok(shares.every((share, index) => share >= (shares[index - 1] ?? 0)));
  });

  test("audio without speech gives no text", async () => {
    for (const [name, samples] of Object.entries(soundsWithoutSpeech(16_000))) {
      const path = fileOf(name, samples, 16_000);
      for (const language of [undefined, "es"]) {
        const result = await transcription.transcribe({ path, granularity: "segment", language }, never);
        assert.deepEqual([result.text, result.segments, result.language], ["", [], undefined], `${name}, ${language}`);
      }
    }
  });

  test("a recording that is too short and a file without audio are refused", async () => {
    const short = fileOf("short", new Float32Array(15_999), 16_000);
    const isCode = (code: string) => (error: unknown) => error instanceof AudioError && error.code === code;
    await assert.rejects(transcription.transcribe({ path: short, granularity: "word" }, never), isCode("too_short"));
    const none = models.path("moonshine-base", "tokens.txt");
    await assert.rejects(transcription.transcribe({ path: none, granularity: "word" }, never), AudioError);
  });

  test("a language that the recognizer does not know is refused before any work", async () => {
    const request = { path: "/nowhere", granularity: "word", engine: "moonshine", language: "fr" } as const;
    await assert.rejects(transcription.transcribe(request, never), /moonshine does not know.*fr/);
    assert.ok(transcription.languages().includes("fr") && !transcription.languages().includes("xx"));
  });

  test("a full queue refuses with a retry time, and an aborted request frees its slot", async () => {
    const controller = new AbortController();
    const request = { path: kennedy.path, granularity: "segment" } as const;
    const both = [0, 1].map(() => transcription.transcribe(request, controller.signal));
    await assert.rejects(
      transcription.transcribe(request, never),
      (error) => error instanceof SpeechError && error.code === "overloaded" && (error.retryAfterSeconds ?? 0) > 0,
    );
    controller.abort(new Error("aborted"));
    await Promise.all(both.map((one) => assert.rejects(one, /aborted/)));
    const result = await transcription.transcribe(request, never);
    assert.match(result.text, /my fellow Americans/);
  });
});

describe("languages other than English", () => {
  let engine: Engine;
  let transcription: Transcription;
  before(async () => {
    const spec = await engineSpec("kokoro", models, 2);
    assert.ok(spec);
    engine = await loadEngine(spec);
    transcription = await createTranscription({ models, workers: 1 });
  });
  after(() => Promise.all([engine.close(), transcription.close()]));

  // There is no German voice: a French one speaks German phonemes.
  const sentences = [
    ["es", "es", "ef_dora", "El tren para Barcelona sale muy temprano, y todavía tenemos tiempo para tomar un café."],
    ["fr", "fr-fr", "ff_siwis", "Le marché est ouvert ce matin, et nous allons acheter du pain et des pommes."],
    ["it", "it", "if_sara", "Domani andiamo al mare con gli amici, perché il tempo sarà bello."],
    ["pt", "pt-br", "pf_dora", "A biblioteca fica perto da praça, e as crianças gostam muito de ler livros."],
    [
      "de",
      "de",
      "ff_siwis",
      "Der Zug nach Hamburg fährt heute um neun Uhr, und wir haben noch genug Zeit für einen Kaffee.",
    ],
  ] as const;
  for (const [language, phonemes, voice, text] of sentences) {
    test(`${language} is detected and transcribed`, async (t) => {
      const windows: Float32Array[] = [];
      const options = { speed: 0.9, temperature: 0, seed: 1 };
      for await (const { samples } of engine.synthesize(
        chunkOf(text),
        { language: phonemes, embedding: voice },
        options,
        never,
      )) {
        windows.push(samples);
      }
      const path = fileOf(language, concatSamples(windows), engine.sampleRate);
      const result = await transcription.transcribe({ path, granularity: "segment" }, never);
      t.diagnostic(result.text);
      assert.equal(result.language, language);
      const { errors, words } = wordErrors(text, result.text);
      assert.ok(errors / words <= 0.2, `${errors} of ${words} words: ${result.text}`);
    });
  }
});

describe("worker processes", () => {
  let samples: { readonly path: string; readonly seconds: number };
  before(async () => {
    const path = join(folder, "samples");
    const decoder = createDecoder({ processes: 1 });
    const { seconds } = await decoder.decode(kennedy.path, path, { sampleRate: 16_000 }, never);
    await decoder.close();
    samples = { path, seconds };
  });

  test("the loss of a worker does not change the transcript", async () => {
    const { spec } = await installedRecognizers(models, "base", 1);
    const lost: string[] = [];
    const pool = createRecognitionPool({ workers: 1, onWorkerLost: (reason) => lost.push(reason) });
    try {
      const assign = () => ({ engine: "moonshine", language: "en" }) as const;
      const result = await pool.use(spec, (workers) => {
        let killed = false;
        const killing = {
          ...workers,
          run: (job: Parameters<typeof workers.run>[0], signal: AbortSignal) => {
            const running = workers.run(job, signal);
            const [pid] = pool.pids();
            if (job.type === "transcribe" && !killed && pid) {
              killed = true;
              process.kill(pid, "SIGKILL");
            }
            return running;
          },
        };
        return transcribeSamples(samples, { granularity: "segment" }, assign, killing, never);
      });
      assert.equal(lost.length, 1);
      assert.match(result.text, /ask what you can do for your country/i);
    } finally {
      await pool.close();
    }
  });
});
