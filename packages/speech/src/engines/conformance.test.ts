import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { chunkOf } from "../testing/chunks.ts";
import { testModels } from "../testing/models.ts";
import type { SpeechChunk } from "../text/types.ts";
import type { Engine, SynthesisOptions, WordTiming } from "./engine.ts";
import { loadEngine } from "./load.ts";
import { engineDescriptors } from "./registry.ts";
import { engineSpec } from "./spec.ts";

const sentence = "Good morning, and welcome to the show.";
const defaults: SynthesisOptions = { speed: 1, temperature: 0.7, seed: 7 };
const never = new AbortController().signal;

for (const { name, requiredModel } of engineDescriptors) {
  describe(`${name} meets the contract of an engine`, () => {
    let engine: Engine;

    before(async () => {
      const models = await testModels(requiredModel);
      const spec = await engineSpec(name, models, 2);
      assert.ok(spec, `the models of ${name} are installed`);
      engine = await loadEngine(spec);
    });
    after(() => engine.close());

    async function speak(chunk: SpeechChunk, options: SynthesisOptions = defaults, embedding?: string | Float32Array) {
      const voice = { language: "en-us", embedding: embedding ?? engine.warmUpVoice };
      const samples: number[] = [];
      const timings: WordTiming[] = [];
      for await (const window of engine.synthesize(chunk, voice, options, never)) {
        for (const sample of window.samples) samples.push(sample);
        timings.push(...(window.timings ?? []));
      }
      return { samples, timings, seconds: samples.length / engine.sampleRate };
    }

    test("audio has a plausible length and level", async () => {
      const { samples, seconds } = await speak(chunkOf(sentence));
      assert.ok(seconds > 1 && seconds < 5, `${seconds} s`);
      assert.ok(samples.every((sample) => Number.isFinite(sample) && Math.abs(sample) <= 1.5));
      const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
      assert.ok(level > 0.01, `level ${level}`);
    });

    test("every word has a time, in order, inside the audio", async () => {
      const chunk = chunkOf(sentence);
      const { timings, seconds } = await speak(chunk);
      assert.deepEqual(
        timings.map((timing) => timing.word),
        chunk.words.map((_, index) => index),
      );
      let last = 0;
      for (const { start, end } of timings) {
        assert.ok(start >= last && end > start, `${start} … ${end} after ${last}`);
        last = end;
      }
      assert.ok(last <= seconds + 1e-9);
    });

    test("the same seed gives the same samples", async () => {
      const chunk = chunkOf("Say it again.");
      assert.deepEqual((await speak(chunk)).samples, (await speak(chunk)).samples);
    });

    test("speed scales the length and the word times", async () => {
      const chunk = chunkOf(sentence);
      const deterministic = { ...defaults, temperature: 0 };
      const normal = await speak(chunk, deterministic);
      for (const speed of [0.5, 1.3, 2]) {
        const { seconds, timings } = await speak(chunk, { ...deterministic, speed });
        assert.ok(Math.abs((seconds * speed) / normal.seconds - 1) < 0.01, `${seconds} s at ${speed}`);
        for (const [index, { start, end }] of timings.entries()) {
          const there = normal.timings[index];
          assert.ok(there);
          assert.ok(Math.abs(start - there.start / speed) < 0.03, `word ${index} starts at ${start} at ${speed}`);
          assert.ok(Math.abs(end - there.end / speed) < 0.03, `word ${index} ends at ${end} at ${speed}`);
        }
      }
    });

    test("synthesis stops when the signal aborts", async () => {
      const controller = new AbortController();
      const voice = { language: "en-us", embedding: engine.warmUpVoice };
      let windows = 0;
      for await (const _ of engine.synthesize(chunkOf(sentence.repeat(3)), voice, defaults, controller.signal)) {
        windows++;
        controller.abort();
      }
      assert.equal(windows, 1);
    });

    test("an empty chunk gives no audio", async () => {
      assert.equal((await speak({ ...chunkOf(""), words: [] })).samples.length, 0);
      const unpronounceable = { text: "…", from: 0, to: 1, after: "" };
      assert.equal((await speak({ ...chunkOf(""), words: [unpronounceable] })).samples.length, 0);
    });

    test("phonemes of the caller are spoken", async () => {
      const word = { text: "hello", from: 0, to: 5, after: ".", phonemes: "həlˈoʊ" };
      const { timings, seconds } = await speak({ ...chunkOf("hello."), words: [word] });
      assert.equal(timings.length, 1);
      assert.ok(seconds > 0.3, `${seconds} s`);
    });

    test("an unknown voice is an error that names it", async () => {
      await assert.rejects(speak(chunkOf("Hello."), defaults, "nobody"), /nobody/);
    });
  });
}
