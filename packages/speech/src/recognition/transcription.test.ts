import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createDecoder } from "../audio/decode/index.ts";
import type { Engine } from "../engines/engine.ts";
import { loadEngine } from "../engines/load.ts";
import { engineSpec } from "../engines/spec.ts";
import { AudioError, SpeechError } from "../errors.ts";
import { editDistance } from "../g2p/edit-distance.ts";
import type { ModelStore } from "../models/index.ts";
import { chunkOf } from "../testing/chunks.ts";
import { decodeAudio } from "../testing/decode-audio.ts";
import { testModels } from "../testing/models.ts";
import { soundsWithoutSpeech } from "../testing/music.ts";
import { type RealSpeech, realSpeech, startErrors } from "../testing/real-speech.ts";
import { concatSamples } from "../testing/signals.ts";
import { wavFile } from "../testing/wav-file.ts";
import { wordErrors } from "../testing/word-errors.ts";
import type { RecognizerName, Transcription } from "../transcript.ts";
import { createTranscription } from "./create-transcription.ts";
import { installedRecognizers } from "./installed.ts";
import { createRecognitionPool } from "./recognition-pool.ts";
import { KnownSpeakerError } from "./speakers/known-voices.ts";
import { transcribeSamples } from "./transcribe-samples.ts";

const never = new AbortController().signal;

let models: ModelStore;
let speech: readonly RealSpeech[];
let kennedy: RealSpeech;
let folder: string;
before(async () => {
  models = await testModels("silero-vad", "moonshine-base", "whisper-base", "kokoro-q8", "test-speech", "xvector");
  speech = realSpeech(models);
  const last = speech.at(-1);
  assert.ok(last);
  kennedy = last;
  folder = mkdtempSync(join(tmpdir(), "parlance-recognition-"));
});
after(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, samples: Float32Array, sampleRate: number): string {
  const path = join(folder, `${name}.wav`);
  writeFileSync(path, wavFile([samples], { sampleRate }));
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

  test("the text comes in pieces while it is recognized, and the times of words besides those of segments", async () => {
    const pieces: string[] = [];
    const request = {
      path: kennedy.path,
      granularity: "segment",
      wordTimes: true,
      onText: (piece: string) => pieces.push(piece),
    } as const;
    const result = await transcription.transcribe(request, never);
    assert.equal(pieces.join(""), result.text);
    assert.ok(pieces.length > 1, `${pieces.length} pieces`);
    assert.ok(wordErrors(kennedy.text, result.text).errors <= 1, result.text);
    assert.equal(result.words?.map(({ text }) => text).join(" "), result.text);
    assert.ok((result.words?.length ?? 0) > result.segments.length);
  });

  test("two alternating readers are distinguished at word boundaries, and one is named by a recording", async () => {
    const [first, second] = [speech[0], speech[1]];
    assert.ok(first && second);
    const pause = new Float32Array(0.5 * 16_000);
    const clips = [first, kennedy, second].map(({ path }) => decodeAudio(readFileSync(path)));
    assert.ok(clips.every(({ sampleRate }) => sampleRate === 16_000));
    const turns = clips.map(({ samples }) => concatSamples([samples, pause]));
    const path = fileOf("dialogue", concatSamples(turns), 16_000);
    const times = turns.map(({ length }) => length / 16_000);
    const known = [{ name: "Reader", voice: speech[2]?.path ?? "" }];
    const request = { path, granularity: "segment", wordTimes: true, language: "en", speakers: { known } } as const;
    const { segments, words = [], speakers } = await transcription.transcribe(request, never);
    assert.deepEqual(
      speakers?.map(({ name }) => name),
      ["Reader", undefined],
    );
    const [one = 0, two = 0] = times;
    const wrong = words.filter(({ start, speaker }) => speaker !== (start >= one && start < one + two ? 1 : 0));
    assert.deepEqual([wrong, words.length > 40], [[], true]);
    // A segment has one speaker.
    assert.deepEqual(
      segments.map(({ speaker }) => speaker).filter((each, index, all) => each !== all[index - 1]),
      [0, 1, 0],
    );
    const none = models.path("moonshine-base", "tokens.txt");
    await assert.rejects(
      transcription.transcribe({ ...request, speakers: { known: [{ name: "Nobody", voice: none }] } }, never),
      (error) => error instanceof KnownSpeakerError && error.speaker === "Nobody",
    );
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
    const request = { path: short, granularity: "word", minSeconds: 0.1 } as const;
    assert.equal((await transcription.transcribe(request, never)).text, "");
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
    const other = transcription.transcribe({ ...request, owner: "another one" }, never);
    controller.abort(new Error("aborted"));
    await Promise.all(both.map((one) => assert.rejects(one, /aborted/)));
    for (const accepted of [other, transcription.transcribe(request, never)])
      assert.match((await accepted).text, /my fellow Americans/);
  });
});

describe("languages other than English", () => {
  const recorded = new Map<string, string>();
  let engine: Engine;
  let transcription: Transcription;
  before(async () => {
    const spec = await engineSpec("kokoro", models, 2);
    assert.ok(spec);
    engine = await loadEngine(spec);
    transcription = await createTranscription({ models, workers: 1 });
  });
  after(() => Promise.all([engine.close(), transcription.close()]));

  // There is no German voice: an Italian one speaks German phonemes.
  const sentences = [
    ["es", "es", "ef_dora", "El tren para Barcelona sale muy temprano, y todavía tenemos tiempo para tomar un café."],
    ["fr", "fr-fr", "ff_siwis", "Le marché est ouvert ce matin, et nous allons acheter du pain et des pommes."],
    ["it", "it", "if_sara", "Domani andiamo al mare con gli amici, perché il tempo sarà bello."],
    ["pt", "pt-br", "pf_dora", "A biblioteca fica perto da praça, e as crianças gostam muito de ler livros."],
    [
      "de",
      "de",
      "if_sara",
      "Der Zug nach Hamburg fährt heute sehr früh, und wir haben noch genug Zeit für einen Kaffee.",
    ],
  ] as const;
  async function spoken(text: string, language: string, voice: string): Promise<Float32Array> {
    const windows: Float32Array[] = [];
    const options = { speed: 0.9, temperature: 0, seed: 1 };
    const engineVoice = { language, embedding: voice };
    for await (const { samples } of engine.synthesize(chunkOf(text, language), engineVoice, options, never)) {
      windows.push(samples);
    }
    return concatSamples(windows);
  }
  async function spokenFile(text: string, language: string, voice: string): Promise<string> {
    return fileOf(language, await spoken(text, language, voice), engine.sampleRate);
  }

  for (const [language, phonemes, voice, text] of sentences) {
    test(`${language} is detected and transcribed`, async (t) => {
      const path = await spokenFile(text, phonemes, voice);
      const result = await transcription.transcribe({ path, granularity: "segment" }, never);
      t.diagnostic(result.text);
      assert.equal(result.language, language);
      const { errors, words } = wordErrors(text, result.text);
      assert.ok(errors / words <= 0.25, `${errors} of ${words} words: ${result.text}`);
      recorded.set(language, path);
    });
  }

  // Without spaces, characters are counted.
  const charactersOf = (text: string) => [...text.replace(/[^\p{L}\p{N}]/gu, "")];
  const unspaced = [
    ["ja", "jf_alpha", "今日はとても天気がいいので、公園を散歩しましょう。"],
    ["zh", "zf_xiaoxiao", "如果明天下雨，我们就在家里看电影。"],
  ] as const;
  for (const [language, voice, text] of unspaced) {
    test(`${language} is detected and transcribed, character by character`, async (t) => {
      const path = await spokenFile(text, language, voice);
      const result = await transcription.transcribe({ path, granularity: "segment", script: "Hans" }, never);
      t.diagnostic(result.text);
      assert.equal(result.language, language);
      const [expected, actual] = [charactersOf(text), charactersOf(result.text)];
      const errors = editDistance(expected, actual, (left, right) => left === right);
      assert.ok(errors / expected.length <= 0.12, `${errors} of ${expected.length} characters: ${result.text}`);
    });
  }

  test("each stretch of a recording is transcribed in its own language", async (t) => {
    const english = "The meeting begins at nine, and everybody has to be there on time.";
    const [spanish, french] = [sentences[0][3], sentences[1][3]];
    const pause = new Float32Array(engine.sampleRate);
    const parts = [
      await spoken(english, "en-us", "af_heart"),
      pause,
      await spoken(spanish, "es", "ef_dora"),
      pause,
      await spoken(french, "fr-fr", "ff_siwis"),
    ];
    const path = fileOf("mixed", concatSamples(parts), engine.sampleRate);
    const { text, segments } = await transcription.transcribe({ path, granularity: "segment" }, never);
    t.diagnostic(text);
    const said = (language: string) =>
      segments.flatMap((part) => (part.language === language ? part.text : [])).join(" ");
    for (const [language, expected] of [
      ["en", english],
      ["es", spanish],
      ["fr", french],
    ] as const) {
      const { errors, words } = wordErrors(expected, said(language));
      assert.ok(errors / words <= 0.2, `${language}: ${said(language)}`);
    }
  });

  test("another language is translated into English", async (t) => {
    const path = recorded.get("es");
    assert.ok(path);
    const pieces: string[] = [];
    const onText = (piece: string) => pieces.push(piece);
    const request = { path, granularity: "segment", task: "translate", onText } as const;
    const result = await transcription.transcribe(request, never);
    t.diagnostic(result.text);
    assert.equal(result.language, "es");
    assert.equal(pieces.join(""), result.text);
    for (const word of [/\btrain\b/i, /Barcelona/, /\bcoffee\b/i]) assert.match(result.text, word);
  });
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
