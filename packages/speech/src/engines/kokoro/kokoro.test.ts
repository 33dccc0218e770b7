import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { until } from "../../../../../tests/support/until.ts";
import { createChunkTrimmer } from "../../audio/chunk-trimmer.ts";
import { createHighPass } from "../../audio/high-pass.ts";
import { loadEspeak } from "../../g2p/espeak.ts";
import { createPronouncer } from "../../g2p/pronounce.ts";
import { chunkOf } from "../../testing/chunks.ts";
import { testModels } from "../../testing/models.ts";
import { concatSamples, decibels, rms } from "../../testing/signals.ts";
import type { Engine, SpeechWindow } from "../engine.ts";
import { parseGraph } from "../onnx/graph.ts";
import { type Decoder, openDecoder } from "./decoders.ts";
import { kokoro } from "./descriptor.ts";
import type { KokoroFiles } from "./files.ts";
import { DECODER_FRAMES, loadKokoro } from "./kokoro.ts";
import { type Encoder, type OriginalDecoder, openEncoder, openOriginalDecoder } from "./stages.ts";
import { loadStudentNetwork } from "./student/network.ts";
import { createStudentStream } from "./student/student.ts";
import { studentFile } from "./student/student-file.ts";
import { createStyles } from "./styles.ts";

const never = new AbortController().signal;
const FRAME = 600;
const SAMPLE_RATE = 24_000;
const voice = { language: "en-us", embedding: "af_heart" };
/** "Good morning. Good night." in Kokoro's alphabet, with the padding that the model needs. */
const tokens = [
  0, 92, 156, 135, 46, 16, 55, 156, 76, 123, 56, 102, 112, 4, 16, 92, 156, 135, 46, 16, 56, 156, 25, 62, 4, 0,
];

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The memory of buffers that are in use. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

async function samplesOf(sound: AsyncIterable<Float32Array>): Promise<Float32Array> {
  const windows: Float32Array[] = [];
  for await (const window of sound) windows.push(window);
  return concatSamples(windows);
}

/** What the joiner keeps of a chunk. */
function trimmed(samples: Float32Array): Float32Array {
  const trimmer = createChunkTrimmer(SAMPLE_RATE);
  return concatSamples([trimmer.push(samples), trimmer.end().samples]);
}

describe("Kokoro in two stages", () => {
  let files: KokoroFiles;
  let encoder: Encoder;
  let decoder: OriginalDecoder;
  let fast: Decoder;
  let style: Float32Array;

  before(async () => {
    files = await kokoro.locate(await testModels("kokoro-q8"), "fast");
    const graph = parseGraph(await readFile(files.model));
    [encoder, decoder, fast] = await Promise.all([
      openEncoder(graph, "full", 2),
      openOriginalDecoder(graph, 2),
      openDecoder("fast", graph, 2),
    ]);
    style = await createStyles(files.voices)(voice, tokens.length - 2);
  });
  after(() => Promise.all([encoder.close(), decoder.close(), fast.close()]));

  test("mix the styles of voices", async () => {
    const styleOf = createStyles(files.voices);
    const [heart, bella] = [await styleOf(voice, 10), await styleOf({ ...voice, embedding: "af_bella" }, 10)];
    const parts = [
      { name: "af_heart", weight: 30 },
      { name: "af_bella", weight: 10 },
    ];
    const mixed = await styleOf({ ...voice, embedding: parts }, 10);
    const expected = heart.map((value, index) => 0.75 * value + 0.25 * (bella[index] ?? 0));
    assert.ok(mixed.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 1e-6));
  });

  test("give the output of the original model", async () => {
    const whole = await InferenceSession.create(files.model);
    const { waveform } = await whole.run({
      input_ids: new Tensor("int64", BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
      style: new Tensor("float32", style, [1, style.length]),
      speed: new Tensor("float32", [1], [1]),
    });
    await whole.release();
    const text = await encoder.encode(tokens, style);
    const staged = await decoder.decode(text);
    const expected = waveform?.data as Float32Array;
    assert.equal(staged.length, expected.length);
    assert.equal(staged.length, text.framesOfToken.reduce((sum, frames) => sum + frames, 0) * FRAME);
    const worst = staged.reduce((max, sample, at) => Math.max(max, Math.abs(sample - (expected[at] ?? 0))), 0);
    assert.ok(worst < 1e-4, `differs by ${worst}`);
  });

  test("the fast decoder is silent where the original one is, and equally long and loud", async () => {
    const text = await encoder.encode(tokens, style);
    const full = await decoder.decode(text);
    const quick = await samplesOf(fast.decode(text));
    assert.equal(quick.length, full.length);
    assert.ok(Math.abs(decibels(rms(quick) / rms(full))) < 2, `${decibels(rms(quick) / rms(full))} dB louder`);
    const silent = (frame: number) =>
      full.subarray(frame * FRAME, (frame + 1) * FRAME).every((sample) => Math.abs(sample) < 2e-4);
    let found = 0;
    for (let frame = 1; frame < full.length / FRAME - 1; frame++) {
      if (!silent(frame - 1) || !silent(frame) || !silent(frame + 1)) continue;
      found++;
      const level = decibels(rms(quick.subarray(frame * FRAME, (frame + 1) * FRAME)));
      assert.ok(level < -60, `${level} dBFS in frame ${frame}`);
    }
    assert.ok(found > 5, `${found} silent frames`);
  });

  test("the fast decoder computes no silence at the end, and the joiner keeps the same samples", async () => {
    const text = await encoder.encode(tokens, style);
    const quick = await samplesOf(fast.decode(text));
    const network = await loadStudentNetwork(fileURLToPath(studentFile), 2);
    const frames = text.pitch.length;
    const whole = await createStudentStream(network, text, { maxFrames: frames }).next(frames);
    await network.close();
    createHighPass(SAMPLE_RATE, 40)(whole);
    assert.equal(quick.length, whole.length);
    const end = quick.findLastIndex((sample) => sample !== 0) + 1;
    assert.ok(quick.length - end > 0.1 * SAMPLE_RATE, `${quick.length - end} samples of silence at the end`);
    const [kept, expected] = [trimmed(quick), trimmed(whole)];
    assert.equal(kept.length, expected.length);
    const worst = kept.reduce((max, sample, at) => Math.max(max, Math.abs(sample - (expected[at] ?? 0))), 0);
    assert.ok(worst < 1e-4, `differs by ${worst}`);
  });

  test("a text without any sound is as long as its frames", async () => {
    const text = await encoder.encode(tokens, style);
    const silent = { ...text, energy: text.energy.map(() => -9) };
    for (const lead of [0, 20]) {
      const samples = await samplesOf(fast.decode(silent, { lead }));
      assert.equal(samples.length, (text.pitch.length * FRAME) / DECODER_FRAMES);
      assert.ok(samples.every((sample) => sample === 0));
    }
  });
});

describe("Kokoro in fast quality", () => {
  let engine: Engine;

  const load = async (threads: number): Promise<Engine> => {
    const files = await kokoro.locate(await testModels("kokoro-q8"), "fast");
    const pronounce = createPronouncer(await loadEspeak());
    return loadKokoro(files, { quality: "fast", pronounce, threads });
  };
  before(async () => {
    engine = await load(2);
  });
  after(() => engine.close());

  const short = chunkOf("Good morning.");
  const chunk = chunkOf("The quick brown fox jumps over the lazy dog, and then it rests, because of the time of day.");

  async function windows(seed: number, temperature: number, text = chunk, by = engine): Promise<SpeechWindow[]> {
    const all: SpeechWindow[] = [];
    for await (const window of by.synthesize(text, voice, { speed: 1, temperature, seed }, never)) all.push(window);
    return all;
  }

  test("streams windows inside a sentence: a short first one, with all word times", async () => {
    const all = await windows(1, 0.7);
    assert.ok(all.length >= 4, `${all.length} windows`);
    // 0.3 s from the start of the first word.
    const first = (all[0]?.samples.length ?? 0) / engine.sampleRate - (all[0]?.timings?.[0]?.start ?? 0);
    assert.ok(Math.abs(first - 0.3) < 1e-9, `${first} s`);
    assert.equal(all[0]?.timings?.length, chunk.words.length);
    assert.ok(all.slice(1).every((window) => window.timings === undefined));
  });

  test("another seed changes the noise, except at temperature 0", async () => {
    const samples = async (seed: number, temperature: number) =>
      (await windows(seed, temperature, short)).map((window) => window.samples);
    const noisy = await samples(5, 0.7);
    assert.deepEqual(await samples(5, 0.7), noisy);
    assert.notDeepEqual(await samples(6, 0.7), noisy);
    assert.deepEqual(await samples(5, 0), await samples(6, 0));
  });

  test("one thread gives the samples of two, and the model file is not kept in memory", async () => {
    const before = heldBytes();
    const other = await load(1);
    try {
      const { size } = await stat((await kokoro.locate(await testModels("kokoro-q8"), "fast")).model);
      // A collection may run while a value that was awaited is still on the stack, so one is not enough.
      const what = `less than the ${size} bytes of the model file are held`;
      await until(() => heldBytes() - before < size, { what, timeoutMs: 20_000, everyMs: 200 });
      assert.deepEqual(await windows(1, 0.7, short, other), await windows(1, 0.7, short));
    } finally {
      await other.close();
    }
  });

  test("stops after the current window, at any speed", async () => {
    for (const speed of [0.5, 1, 2]) {
      const controller = new AbortController();
      let made = 0;
      for await (const _ of engine.synthesize(chunk, voice, { speed, temperature: 0, seed: 0 }, controller.signal)) {
        if (++made === 2) controller.abort();
      }
      assert.equal(made, 2);
    }
  });

  test("speaks texts that are longer than the input of the model", async () => {
    const long = chunkOf("A very long sentence goes on and on without an end ".repeat(14));
    let samples = 0;
    let last = 0;
    const words: number[] = [];
    for await (const window of engine.synthesize(long, voice, { speed: 1, temperature: 0, seed: 0 }, never)) {
      for (const timing of window.timings ?? []) {
        assert.ok(timing.start >= last - 1e-9 && timing.end > timing.start);
        last = timing.end;
        words.push(timing.word);
      }
      samples += window.samples.length;
    }
    assert.deepEqual(words, [...long.words.keys()]);
    assert.ok(last <= samples / engine.sampleRate);
  });
});
