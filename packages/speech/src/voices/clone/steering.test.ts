import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { readLinearMap } from "./linear-map.ts";
import { meanFeatures } from "./speaker-features.ts";
import { steer } from "./steering.ts";
import { fitOf, nearestSpeakers, readStockSpeakers } from "./stock-speakers.ts";
import { cosine } from "./xvector/xvector.ts";

it("all 904 stock speakers have features, and each is nearest to itself", async () => {
  const speakers = await readStockSpeakers();
  assert.equal(speakers.length, 904);
  for (const speaker of speakers) {
    assert.ok(Math.abs(Math.hypot(...speaker.vector) - 1) < 1e-3);
    assert.ok(speaker.pitch !== undefined && speaker.pitch > 60 && speaker.pitch < 400, speaker.name);
  }
  for (const speaker of speakers.slice(0, 20)) {
    assert.deepEqual(nearestSpeakers(speakers, speaker, 1)[0]?.name, speaker.name);
  }
});

it("a voice an octave off fits worse than one of the same pitch", async () => {
  const [speaker] = await readStockSpeakers();
  assert.ok(speaker?.pitch);
  const high = { ...speaker, pitch: speaker.pitch * 2 };
  assert.ok(fitOf(high, speaker) < fitOf(speaker, speaker));
  assert.equal(fitOf({ ...speaker, pitch: undefined }, speaker), fitOf(speaker, speaker));
});

it("the linear map gives different speakers different vectors in the range of the stock speakers", async () => {
  const map = await readLinearMap();
  const [one, two] = await readStockSpeakers();
  assert.ok(one && two);
  const vectors = [one, two].map((speaker) => map.toVector(map.describe(speaker)));
  for (const vector of vectors) {
    assert.equal(vector.length, 512);
    assert.ok(map.distance(vector) > 1 && map.distance(vector) < 8, String(map.distance(vector)));
  }
  assert.ok(cosine(vectors[0] ?? new Float32Array(512), vectors[1] ?? new Float32Array(512)) < 0.9);
  const unpitched = map.toVector(map.describe({ vector: one.vector, pitch: undefined }));
  assert.ok(unpitched.every(Number.isFinite));
});

it("steering corrects a voice until it fits", async () => {
  const map = await readLinearMap();
  const speakers = await readStockSpeakers();
  const [target, other] = [speakers[7], speakers[8]];
  assert.ok(target && other);
  // An engine that mixes the target with another speaker, less with each step.
  const goal = map.toVector(map.describe(target));
  let steps = 0;
  const measure = (vector: Float32Array) => {
    const share = Math.min(1, cosine(vector, goal));
    const features = meanFeatures([
      { ...target, weight: share * (1 - 1 / (1 + steps)) },
      { ...other, weight: 1 / (1 + steps) },
    ]);
    return { ...features, fit: cosine(features.vector, target.vector) };
  };
  const steered = await steer(
    map,
    target,
    { vector: goal, result: measure(goal) },
    async (vector) => {
      steps++;
      return measure(vector);
    },
    new AbortController().signal,
  );
  assert.ok(steps > 1 && steps < 10);
  assert.ok(steered.result.fit > 0.9, String(steered.result.fit));
});

it("steering without improvement returns the start", async () => {
  const map = await readLinearMap();
  const [target, other] = await readStockSpeakers();
  assert.ok(target && other);
  const start = { vector: map.toVector(map.describe(target)), result: { ...other, fit: 0.5 } };
  let tried = 0;
  const steered = await steer(
    map,
    target,
    start,
    async () => {
      tried++;
      return { ...other, fit: 0.4 };
    },
    new AbortController().signal,
  );
  assert.equal(steered, start);
  assert.equal(tried, 3);
});

it("damaged files are refused", async (context: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-test-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "damaged.bin");
  await writeFile(file, Buffer.alloc(100));
  const url = pathToFileURL(file);
  await assert.rejects(readLinearMap(url), /damaged/);
  await assert.rejects(readStockSpeakers(url), /damaged/);
});
