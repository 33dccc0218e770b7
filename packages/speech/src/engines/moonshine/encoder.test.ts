import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { integerConvolution } from "../onnx/integer-convolution.ts";
import { readGraph } from "../onnx/read-graph.ts";
import { floats, floatsOf, openSession } from "../session.ts";
import { moonshine } from "./descriptor.ts";
import { loadEncoder, secondConvolution, usedSamples } from "./encoder.ts";

test("the convolution in 8 bits gives nearly the values of the one in the file", { timeout: 60_000 }, async () => {
  const models = await testModels("moonshine-base", "test-speech");
  const { encoder } = moonshine.locate(models, "base");
  const [clip] = realSpeech(models);
  assert.ok(clip);
  const { samples } = decodeAudio(readFileSync(clip.path));
  const graph = await readGraph(encoder);
  const outputOf = async (nodes: Parameters<typeof graph.cut>[2], count: number): Promise<Float32Array> => {
    const { output } = secondConvolution;
    const stage = graph.cut(
      [{ name: "input_values", type: "float32", shape: [1, "samples"] }],
      [{ name: output, type: "float32", shape: [1, "channels", "length"] }],
      nodes,
    );
    const session = await openSession(stage, 1);
    const used = samples.subarray(0, usedSamples(count));
    const result = floatsOf(await session.run({ input_values: floats(used, 1, used.length) }), output);
    await session.release();
    return result;
  };
  for (const count of [16_000, 16_064, 16_128]) {
    const [exact, found] = [await outputOf([], count), await outputOf(integerConvolution(secondConvolution), count)];
    assert.equal(found.length, exact.length);
    const power = (values: Float32Array): number => values.reduce((sum, value) => sum + value ** 2, 0);
    const error = Math.sqrt(power(exact.map((value, index) => value - (found[index] ?? 0))) / power(exact));
    assert.ok(error < 0.02, `${count} samples: ${error}`);
  }
});

test("samples that are left out would give no frame", { timeout: 60_000 }, async () => {
  const models = await testModels("moonshine-base");
  const files = moonshine.locate(models, "base");
  const [whole, encoder] = [await openSession(files.encoder, 1), await loadEncoder(files.encoder, 1)];
  for (const count of [1600, 5000, 5063, 5064, 5127, 5191, 5192]) {
    const samples = new Float32Array(count).map((_, index) => Math.sin(index / 7) / 5);
    const { last_hidden_state: frames } = await whole.run({ input_values: floats(samples, 1, count) });
    assert.deepEqual((await encoder.encode(samples)).dims, frames?.dims, `${count} samples`);
  }
  await Promise.all([whole.release(), encoder.close()]);
});
