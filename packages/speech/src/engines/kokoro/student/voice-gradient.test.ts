import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { prosodyOf, readReference, repeatedProsody } from "../../../testing/kokoro-reference.ts";
import { noise } from "../../../testing/signals.ts";
import { withoutRounding } from "../../../testing/without-rounding.ts";
import { loadStudentNetwork } from "./network.ts";
import { DECODER_OFFSETS } from "./offsets.ts";
import { HOP } from "./shape.ts";
import { createStudentStream } from "./student.ts";
import { studentFile } from "./student-file.ts";
import { createChunk, loadVoiceGradient, type VoiceParameters, voiceOf } from "./voice-gradient.ts";

const model = await readFile(studentFile);
const prosody = prosodyOf(readReference(await readFile(new URL("reference.bin", studentFile))));
const names = ["timbre", "offsets"] as const;
const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const length = (a: Float32Array) => Math.sqrt(product(a, a));

function moved(voice: VoiceParameters, name: (typeof names)[number], direction: Float32Array, by: number) {
  const step = by / length(direction);
  return { ...voice, [name]: voice[name].map((value, i) => value + step * (direction[i] ?? 0)) };
}

test("a whole text has the samples of the stream, whatever the noise and the voice", {
  timeout: 60_000,
}, async () => {
  const text = repeatedProsody(prosody, 3);
  const other = { ...text, style: text.style.map((value) => -value) };
  const network = await loadStudentNetwork(fileURLToPath(studentFile), 1);
  const gradient = await loadVoiceGradient(model, 1);
  for (const [spoken, noiseNumber, offsets] of [
    [text, 0, new Float32Array(DECODER_OFFSETS)],
    [other, 12_345, noise(DECODER_OFFSETS, 0.1, 6)],
  ] as const) {
    const options = { maxFrames: text.pitch.length, noise: noiseNumber, offsets };
    const stream = createStudentStream(network, spoken, options);
    const expected = await stream.next(text.pitch.length);
    const voice = { ...voiceOf(spoken.style), offsets };
    const { samples } = await gradient.speak(createChunk(text, noiseNumber), voice);
    assert.equal(samples.length, text.pitch.length * HOP);
    const worst = samples.reduce((most, value, i) => Math.max(most, Math.abs(value - (expected[i] ?? 0))), 0);
    assert.ok(worst < 1e-5, `they differ by ${worst}`);
  }
  await Promise.all([network.close(), gradient.close()]);
});

test("the gradient by the voice is that of finite differences, without rounding", { timeout: 120_000 }, async () => {
  const gradient = await loadVoiceGradient(withoutRounding(model), 1);
  const chunk = createChunk(prosody, 7);
  const voice = { ...voiceOf(prosody.style), offsets: noise(DECODER_OFFSETS, 0.002, 3) };
  const { samples, backward } = await gradient.speak(chunk, voice);
  const given = noise(samples.length, 1, 5);
  const found = await backward(given);
  const steps = { timbre: 0.01, offsets: 0.05 };
  for (const name of names) {
    assert.equal(found[name].length, voice[name].length);
    const directions = [found[name], noise(found[name].length, 1, 11), noise(found[name].length, 1, 12)];
    for (const [i, direction] of directions.entries()) {
      const sum = async (by: number) =>
        product((await gradient.speak(chunk, moved(voice, name, direction, by))).samples, given);
      const expected = ((await sum(steps[name])) - (await sum(-steps[name]))) / (2 * steps[name]);
      const along = product(found[name], direction) / length(direction);
      const apart = Math.abs(along - expected) / length(found[name]);
      assert.ok(apart < 5e-3, `${along} instead of ${expected} by ${name}, direction ${i}: ${apart}`);
    }
  }
  await assert.rejects(backward(given.subarray(1)), RangeError);
  await gradient.close();
});
