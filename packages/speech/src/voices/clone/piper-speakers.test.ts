import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { meanSpeaker } from "./analyzed-speaker.ts";
import { readLinearMap } from "./linear-map.ts";
import { readSpeakerSpace } from "./speaker-space.ts";
import { steer } from "./steering.ts";
import { fitOf, nearestSpeakers, readStockSpeakers } from "./stock-speakers.ts";
import { cosine } from "./xvector/xvector.ts";

it("all 904 speakers are known by voice and pitch, and each is nearest to itself", async () => {
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

it("the linear map gives different speakers different vectors, near those that there are", async () => {
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

it("steering asks for what is missing until the voice sounds as it should", async () => {
  const map = await readLinearMap();
  const speakers = await readStockSpeakers();
  const [wanted, other] = [speakers[7], speakers[8]];
  assert.ok(wanted && other);
  // An engine that gives too little of what is special about a speaker, and something of another one.
  const goal = map.toVector(map.describe(wanted));
  let rounds = 0;
  const hear = (vector: Float32Array) => {
    const share = Math.min(1, cosine(vector, goal));
    const heard = meanSpeaker([
      { ...wanted, weight: share * (1 - 1 / (1 + rounds)) },
      { ...other, weight: 1 / (1 + rounds) },
    ]);
    return { ...heard, fit: cosine(heard.vector, wanted.vector) };
  };
  const steered = await steer(
    map,
    wanted,
    { vector: goal, heard: hear(goal) },
    async (vector) => {
      rounds++;
      return hear(vector);
    },
    new AbortController().signal,
  );
  assert.ok(rounds > 1 && rounds < 10);
  assert.ok(steered.heard.fit > 0.9, String(steered.heard.fit));
});

it("steering that finds nothing better gives back what it began with", async () => {
  const map = await readLinearMap();
  const [wanted, other] = await readStockSpeakers();
  assert.ok(wanted && other);
  const start = { vector: map.toVector(map.describe(wanted)), heard: { ...other, fit: 0.5 } };
  let tried = 0;
  const steered = await steer(
    map,
    wanted,
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

it("the space of speakers has its directions at a right angle", async () => {
  const space = await readSpeakerSpace();
  assert.equal(space.dimensions, 64);
  const origin = new Float32Array(512);
  const along = (axis: number) =>
    space.moved(
      origin,
      Float64Array.from({ length: 64 }, (_, i) => (i === axis ? 1 : 0)),
    );
  for (const [a, b] of [
    [0, 1],
    [0, 63],
    [30, 31],
  ] as const)
    assert.ok(Math.abs(cosine(along(a), along(b))) < 1e-3);
  assert.ok(Math.hypot(...along(0)) > Math.hypot(...along(63)));
  assert.deepEqual(space.moved(along(3), new Float64Array(64)), along(3));
});

it("damaged files are refused", async (context: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-test-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "damaged.bin");
  await writeFile(file, Buffer.alloc(100));
  const url = pathToFileURL(file);
  await assert.rejects(readLinearMap(url), /damaged/);
  await assert.rejects(readSpeakerSpace(url), /damaged/);
  await assert.rejects(readStockSpeakers(url), /damaged/);
});
