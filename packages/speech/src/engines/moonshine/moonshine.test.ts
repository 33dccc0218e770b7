import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Tensor } from "onnxruntime-node";
import type { ModelStore } from "../../models/index.ts";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { largest } from "../attention/scores.ts";
import { loadTokenDecoder } from "../attention/token-decoder.ts";
import { moonshineFiles } from "../catalogue.ts";
import type { Recognizer } from "../recognizer.ts";
import { floats, floatsOf, integers, openSession } from "../session.ts";
import { moonshineDecoder } from "./description.ts";
import { loadMoonshine } from "./moonshine.ts";

describe("Moonshine", () => {
  let models: ModelStore;
  let moonshine: Recognizer;
  let samples: Float32Array;
  before(async () => {
    models = await testModels("moonshine-base", "test-speech");
    moonshine = await loadMoonshine(moonshineFiles(models), 2);
    const clip = realSpeech(models)[4];
    assert.ok(clip);
    samples = decodeAudio(readFileSync(clip.path)).samples;
  });
  after(() => moonshine.close());

  test("writes what is said, with punctuation, and knows that it is right", async (t) => {
    const heard = await moonshine.transcribe(samples, t.signal);
    assert.equal(heard.text, "He might even have been made amiable himself.");
    assert.ok(heard.confidence > -0.2);
  });

  test("the decoder in two stages chooses the tokens that the untouched one does", async () => {
    const files = moonshineFiles(models);
    const encoder = await openSession(files.encoder, 2);
    const encoded = (await encoder.run({ input_values: floats(samples, 1, samples.length) })).last_hidden_state;
    assert.ok(encoded instanceof Tensor);
    const whole = await openSession(files.decoder, 2);
    const decoder = await loadTokenDecoder(readFileSync(files.decoder), moonshineDecoder, 2);
    const listening = await decoder.listen(encoded);
    const empty = () => floats(new Float32Array(0), 1, 8, 0, 52);
    const caches = whole.inputNames.filter((name) => name.startsWith("past_key_values"));
    // The untouched decoder is given everything again each time, without its cache.
    const said = [1];
    for (let count = 0; count < 6; count++) {
      const outputs = await whole.run({
        ...Object.fromEntries(caches.map((name) => [name, empty()])),
        input_ids: integers(said, 1, said.length),
        encoder_hidden_states: encoded,
        use_cache_branch: new Tensor("bool", [false], [1]),
      });
      const expected = largest(floatsOf(outputs, "logits").slice(-moonshineDecoder.vocabulary));
      const { scores } = await listening.next(said.at(-1) ?? 1);
      assert.equal(largest(scores), expected, `token ${count}`);
      said.push(expected);
    }
    await Promise.all([encoder.release(), whole.release(), decoder.close()]);
  });

  test("nothing is heard in silence, nor in less than the model can take", async (t) => {
    assert.equal((await moonshine.transcribe(new Float32Array(16_000), t.signal)).text, "");
    assert.equal((await moonshine.transcribe(new Float32Array(100), t.signal)).text, "");
  });

  test("a cancelled stretch is given up between two tokens", async () => {
    const gone = new AbortController();
    const writing = moonshine.transcribe(samples, gone.signal);
    gone.abort(new Error("left"));
    await assert.rejects(writing, /left/);
  });
});
