import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Tensor } from "onnxruntime-node";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { argmax } from "../attention/scores.ts";
import { loadTokenDecoder } from "../attention/token-decoder.ts";
import type { Recognizer } from "../recognizer.ts";
import { floats, floatsOf, integers, openSession } from "../session.ts";
import { moonshineDecoder } from "./description.ts";
import { moonshine as descriptor } from "./descriptor.ts";
import type { MoonshineFiles } from "./files.ts";
import { loadMoonshine } from "./moonshine.ts";

describe("Moonshine", () => {
  let files: MoonshineFiles;
  let moonshine: Recognizer;
  let samples: Float32Array;
  let kennedy: Float32Array;
  before(async () => {
    const models = await testModels("moonshine-base", "test-speech");
    files = descriptor.locate(models, "base");
    moonshine = await loadMoonshine(files, 2);
    const clips = realSpeech(models);
    const read = (path = ""): Float32Array => decodeAudio(readFileSync(path)).samples;
    samples = read(clips[4]?.path);
    kennedy = read(clips.at(-1)?.path);
  });
  after(() => moonshine.close());

  test("transcribes with punctuation and high confidence", async (t) => {
    const result = await moonshine.transcribe(samples, t.signal);
    assert.equal(result.text, "He might even have been made amiable himself.");
    assert.ok(result.confidence > -0.2);
  });

  test("distinguishes a whole sentence from the start of one", async (t) => {
    const score = async (part: Float32Array): Promise<number> => {
      const options = { judgesEnd: true };
      const { sentenceEnd } = await moonshine.transcribe(part, t.signal, "en", "transcribe", undefined, options);
      return sentenceEnd ?? Number.NaN;
    };
    // "He might even"
    const [whole, start] = [await score(samples), await score(samples.slice(0, 0.9 * 16_000))];
    assert.ok(whole > 0.7 && start < 0.1, `${whole} ${start}`);
    assert.equal((await moonshine.transcribe(samples, t.signal)).sentenceEnd, undefined);
  });

  test("the words before the audio count, too, when a sentence is judged", async (t) => {
    const judge = (from: number, to: number, before: readonly number[]) => {
      const options = { judgesEnd: true, known: { context: [], draft: [], before } };
      const part = kennedy.slice(from * 16_000, to * 16_000);
      return moonshine.transcribe(part, t.signal, "en", "transcribe", undefined, options);
    };
    // "And so, my fellow Americans, ask not", then "what your country can do for you": alone, it is a whole question.
    const start = await judge(0, 4.6, []);
    const before = start.words.flatMap(({ tokens = [] }) => tokens);
    const [{ sentenceEnd: alone = 0 }, { sentenceEnd: all = 1 }] = [
      await judge(5, 7.8, []),
      await judge(5, 7.8, before),
    ];
    assert.ok(alone > 0.9 && 1 - all > 2 * (1 - alone), `${alone} ${all}`);
  });

  test("the decoder in two stages chooses the tokens of the original one", async () => {
    const encoder = await openSession(files.encoder, 2);
    const encoded = (await encoder.run({ input_values: floats(samples, 1, samples.length) })).last_hidden_state;
    assert.ok(encoded instanceof Tensor);
    const whole = await openSession(files.decoder, 2);
    const decoder = await loadTokenDecoder(files.decoder, moonshineDecoder, 2);
    const session = await decoder.start(encoded);
    const empty = () => floats(new Float32Array(0), 1, 8, 0, 52);
    const caches = whole.inputNames.filter((name) => name.startsWith("past_key_values"));
    // The original decoder gets all tokens each time, without its cache.
    const tokens = [1];
    for (let count = 0; count < 6; count++) {
      const outputs = await whole.run({
        ...Object.fromEntries(caches.map((name) => [name, empty()])),
        input_ids: integers(tokens, 1, tokens.length),
        encoder_hidden_states: encoded,
        use_cache_branch: new Tensor("bool", [false], [1]),
      });
      const expected = argmax(floatsOf(outputs, "logits").slice(-moonshineDecoder.vocabulary));
      const { scores } = await session.next(tokens.at(-1) ?? 1);
      assert.equal(argmax(scores), expected, `token ${count}`);
      tokens.push(expected);
    }
    // All tokens at once lead to the same ones, and to the same state after some of them.
    const { steps, after } = await decoder.check(encoded, tokens.slice(0, -1));
    assert.deepEqual(
      steps.map(({ scores }) => argmax(scores)),
      tokens.slice(1),
    );
    assert.equal(argmax((await after(3).next(tokens[3] ?? 1)).scores), tokens[4]);
    await Promise.all([encoder.release(), whole.release(), decoder.close()]);
  });

  test("starts from known words, unless the audio says something else", async (t) => {
    const decode = (context: readonly (readonly number[])[], draft: readonly number[]) =>
      moonshine.transcribe(samples, t.signal, "en", "transcribe", undefined, { known: { context, draft } });
    const { text, words, contextWords } = await decode([], []);
    const tokens = words.map((word) => word.tokens ?? []);
    assert.equal(contextWords, 0);
    const known = await decode(tokens.slice(0, 3), tokens.slice(3).flat());
    assert.deepEqual([known.text, known.contextWords], [text, 3]);
    assert.deepEqual(
      known.words.map((word) => word.tokens),
      tokens,
    );
    for (const [index, word] of known.words.entries())
      assert.ok(Math.abs(word.start - (words[index]?.start ?? 0)) < 0.1, word.text);
    const wrong = tokens.slice(0, 3).reverse();
    assert.deepEqual([(await decode(wrong, [])).text, (await decode(wrong, [])).contextWords], [text, 0]);
    assert.equal((await decode(tokens.slice(0, 3), wrong.flat())).text, text);
  });

  test("silence and input that is too short give no text", async (t) => {
    assert.equal((await moonshine.transcribe(new Float32Array(16_000), t.signal)).text, "");
    assert.equal((await moonshine.transcribe(new Float32Array(100), t.signal)).text, "");
  });

  test("an aborted transcription ends between two tokens", async () => {
    const controller = new AbortController();
    const work = moonshine.transcribe(samples, controller.signal);
    controller.abort(new Error("aborted"));
    await assert.rejects(work, /aborted/);
  });
});
