import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { testModels } from "../../../testing/models.ts";
import { speechLike } from "../../../testing/signals.ts";
import { xvectorFiles } from "./files.ts";
import { readComponents, readMatrixFile } from "./kaldi.ts";
import { MFCC_SIZE, mfcc, withoutSlidingMean } from "./mfcc.ts";
import { cosine } from "./vectors.ts";
import { loadXVector, type XVector } from "./xvector.ts";

const near = (actual: Float32Array, expected: readonly number[], within: number) => {
  for (const [i, value] of expected.entries()) {
    assert.ok(Math.abs((actual[i] ?? 0) - value) < within, `${actual[i]} instead of ${value} at ${i}`);
  }
};

describe("x-vectors", () => {
  let xvector: XVector;
  before(async () => {
    xvector = await loadXVector(xvectorFiles(await testModels("xvector")));
  });
  after(() => xvector.close());

  test("equal those of the reference implementation", async () => {
    const vector = await xvector.embed(speechLike(8000, 3));
    assert.equal(vector.length, 128);
    near(vector, [0.000517, 0.069345, 0.034208, -0.003334, -0.053935, -0.074994, 0.000737, -0.08784], 1e-5);
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
  });

  test("are independent of the level, and differ for another voice", async () => {
    const voice = await xvector.embed(speechLike(8000, 3));
    const softer = await xvector.embed(speechLike(8000, 3, 0.1));
    // Half as many samples for the same sound: an octave higher.
    const other = await xvector.embed(speechLike(8000, 6).filter((_, i) => i % 2 === 0));
    assert.ok(cosine(voice, softer) > 0.99, `${cosine(voice, softer)}`);
    assert.ok(cosine(voice, other) < 0.9, `${cosine(voice, other)}`);
  });

  test("need speech", async () => {
    await assert.rejects(xvector.embed(new Float32Array(100)), /no speech/);
  });
});

test("the features equal those of the reference implementation", () => {
  const frame = 40;
  const features = mfcc(speechLike(8000, 3));
  assert.equal(features.length, MFCC_SIZE * 298);
  near(features.subarray(frame * MFCC_SIZE), [16.3538, 43.649, -78.6298, 62.2187, -53.6619, 11.2321], 1e-3);
});

test("the sliding mean of short audio is the mean of all frames", () => {
  const features = Float32Array.from({ length: MFCC_SIZE * 10 }, (_, i) => Math.sin(i));
  const centred = withoutSlidingMean(features);
  for (let n = 0; n < MFCC_SIZE; n++) {
    let sum = 0;
    for (let t = 0; t < 10; t++) sum += centred[t * MFCC_SIZE + n] ?? 0;
    assert.ok(Math.abs(sum) < 1e-5);
  }
});

test("matrices are read from text and from binary, and damaged ones are refused", () => {
  assert.deepEqual(readMatrixFile(Buffer.from(" [ 1 2.5 -3 ]\n")), {
    rows: 3,
    columns: 1,
    values: Float32Array.of(1, 2.5, -3),
  });
  assert.deepEqual(readMatrixFile(Buffer.from(" [\n 1 2\n 3 4 ]\n")), {
    rows: 2,
    columns: 2,
    values: Float32Array.of(1, 2, 3, 4),
  });
  const binary = Buffer.concat([Buffer.from("\0BFV \x04\x02\0\0\0"), Buffer.from(Float32Array.of(5, 6).buffer)]);
  assert.deepEqual(readMatrixFile(binary).values, Float32Array.of(5, 6));
  assert.throws(() => readMatrixFile(binary.subarray(0, 12)), /damaged/);
  assert.throws(() => readMatrixFile(Buffer.from("[ a b ]")), /no number/);
  const network = Buffer.concat([
    Buffer.from("<ComponentName> a <Epsilon> \x04"),
    Buffer.from(Float32Array.of(0.5).buffer),
  ]);
  assert.equal(readComponents(network).get("a")?.number("Epsilon"), 0.5);
  assert.throws(() => readComponents(network).get("a")?.matrix("Bias"), /<Bias>/);
});
