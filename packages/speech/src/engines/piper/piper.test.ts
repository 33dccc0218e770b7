import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { loadEspeak } from "../../g2p/espeak.ts";
import { createPronouncer } from "../../g2p/pronounce.ts";
import { chunkOf } from "../../testing/chunks.ts";
import { testModels } from "../../testing/models.ts";
import type { Engine } from "../engine.ts";
import { loadPiper, piperTokens } from "./piper.ts";
import { loadPiperStages } from "./stages.ts";

const never = new AbortController().signal;
const chunk = chunkOf("The quick brown fox jumps over the lazy dog, and then it rests, because of the time of day.");
const short = chunkOf("The quick brown fox.");
let files: { model: string; tokens: string };
let engine: Engine;
const pronounce = createPronouncer(await loadEspeak());

before(async () => {
  const models = await testModels("piper-libritts");
  files = { model: models.path("piper-libritts", "model.onnx"), tokens: models.path("piper-libritts", "tokens.txt") };
  engine = await loadPiper(files, { pronounce, threads: 2, quality: "fast" });
});
after(() => engine.close());

async function windows(
  embedding: string | Float32Array,
  temperature: number,
  seed: number,
  spoken = short,
): Promise<Float32Array[]> {
  const all: Float32Array[] = [];
  const voice = { language: "en-us", embedding };
  for await (const window of engine.synthesize(spoken, voice, { speed: 1, temperature, seed }, never)) {
    all.push(window.samples);
  }
  return all;
}

test("windows give the output of the original model", async () => {
  const speaker = 14;
  const whole = await InferenceSession.create(files.model);
  const tokens = await piperTokens(files.tokens, pronounce(chunk.words, "en-us"));
  const ids = BigInt64Array.from(tokens, (token) => BigInt(token.id));
  const { output } = await whole.run({
    input: new Tensor("int64", ids, [1, ids.length]),
    input_lengths: new Tensor("int64", BigInt64Array.of(BigInt(ids.length)), [1]),
    // Without noise, since the original model draws its own.
    scales: new Tensor("float32", [0, 1, 0], [3]),
    sid: new Tensor("int64", BigInt64Array.of(BigInt(speaker)), [1]),
  });
  await whole.release();
  const expected = output?.data as Float32Array;

  const parts = await windows(String(speaker), 0, 1, chunk);
  assert.ok(parts.length > 3, `${parts.length} windows`);
  const streamed = parts.flatMap((part) => [...part]);
  assert.equal(streamed.length, expected.length);
  const worst = streamed.reduce((max, sample, at) => Math.max(max, Math.abs(sample - (expected[at] ?? 0))), 0);
  assert.ok(worst < 1e-5, `differs by ${worst}`);
});

test("the first window is short", async () => {
  const [first] = await windows("0", 0.7, 1);
  assert.equal(first?.length, 24 * 256);
});

test("any vector is a voice: that of a stock speaker sounds the same, a mix sounds different", async () => {
  const stages = await loadPiperStages(files.model, 1);
  const row = (index: number) => stages.speakers.slice(index * 512, (index + 1) * 512);
  const mix = row(3).map((value, at) => (value + (row(200)[at] ?? 0)) / 2);
  await stages.close();
  const stock = await windows("3", 0.7, 5);
  assert.deepEqual(await windows(row(3), 0.7, 5), stock);
  assert.notDeepEqual(await windows(mix, 0.7, 5), stock);
});

test("another seed changes the speech, except at temperature 0", async () => {
  assert.notDeepEqual(await windows("3", 0.7, 5), await windows("3", 0.7, 6));
  assert.deepEqual(await windows("3", 0, 5), await windows("3", 0, 6));
});
