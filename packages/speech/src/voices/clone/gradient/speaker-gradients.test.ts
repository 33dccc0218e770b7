import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { InferenceSession } from "onnxruntime-node";
import { createResampler } from "../../../audio/index.ts";
import { concatSamples } from "../../../lib/concat.ts";
import { decodeAudio } from "../../../testing/decode-audio.ts";
import { testModels } from "../../../testing/models.ts";
import { realSpeech } from "../../../testing/real-speech.ts";
import { noise } from "../../../testing/signals.ts";
import { melBands, melBandsGradient } from "../mel-bands.ts";
import { xvectorFiles } from "../xvector/files.ts";
import { MFCC_SIZE, mfcc, mfccGradient, slidingMeanGradient, withoutSlidingMean } from "../xvector/mfcc.ts";
import { cosine } from "../xvector/vectors.ts";
import { refinementNetworks } from "./refinement-networks.ts";
import type { SpeakerFiles, SpeakerVectors } from "./speaker-files.ts";
import { loadSpeakerGradients, type SpeakerGradients } from "./speaker-gradients.ts";
import { loadSpeakerVectors, type SpeakerMeasure } from "./speaker-vectors.ts";

const RATE = 8000;
const both = { xvector: 1, network: 1 };
const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const length = (a: Float32Array) => Math.sqrt(product(a, a));
const unit = (a: Float32Array) => {
  const whole = length(a);
  return a.map((value) => value / whole);
};
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const moved = (start: Float32Array, by: number, direction: Float32Array) =>
  start.map((value, i) => value + by * (direction[i] ?? 0));

interface Check {
  readonly at: Float32Array;
  readonly gradient: Float32Array;
  readonly sum: (values: Float32Array) => number | Promise<number>;
  readonly step: number;
  /** How far a difference may be from the gradient, as a share of its length. */
  readonly within: number;
}

/**
 * Compares with finite differences along the gradient, where they are largest, along parts of it, which shows a part that is
 * wrong, and along a random direction, which shows a part that is missing.
 */
async function check({ at, gradient, sum, step, within }: Check): Promise<void> {
  assert.equal(gradient.length, at.length);
  const random = noise(at.length, 1, 11);
  const some = gradient.map((value, i) => value * (random[i] ?? 0));
  for (const [i, direction] of [gradient, some, random].map(unit).entries()) {
    const expected = ((await sum(moved(at, step, direction))) - (await sum(moved(at, -step, direction)))) / (2 * step);
    const found = product(gradient, direction);
    const apart = Math.abs(found - expected) / length(gradient);
    // Of a random direction, a small share is along the gradient.
    assert.ok(apart < (i === 2 ? within / 10 : within), `${found} instead of ${expected} in direction ${i}`);
  }
}

describe("the gradient of the distance to a speaker", { timeout: 180_000 }, () => {
  let files: SpeakerFiles;
  let speech: Float32Array;
  let target: SpeakerVectors;
  let gradients: SpeakerGradients;
  let measure: SpeakerMeasure;
  const { signal } = new AbortController();
  before(async () => {
    const models = await testModels("test-speech", "xvector");
    files = { xvector: xvectorFiles(models), networks: refinementNetworks.map((file) => fileURLToPath(file)) };
    const clips = realSpeech(models);
    const clip = (name: RegExp, seconds: number) =>
      narrow(clips.find((each) => name.test(each.name))?.path ?? "", seconds);
    // Where pauses are nearly silent, only very small differences are near the gradient.
    speech = moved(await clip(/austen/, 3.3), 1, noise(3.3 * RATE, 0.003));
    measure = await loadSpeakerVectors(files);
    target = await measure.vectorsOf(await clip(/jfk/, 5), signal);
    gradients = await loadSpeakerGradients(files);
  });
  after(() => Promise.all([gradients.close(), measure.close()]));

  for (const weights of [
    { xvector: 1, network: 0 },
    { xvector: 0, network: 1 },
    { xvector: 0.5, network: 2 },
  ]) {
    const title = `${weights.xvector} and ${weights.network}`;
    it(`is that of finite differences with the weights ${title}`, { timeout: 60_000 }, async () => {
      const sum = async (samples: Float32Array) => {
        const { xvector, networks } = await gradients.distances(samples, target, weights);
        return weights.xvector * xvector + weights.network * total(networks);
      };
      const { gradient } = await gradients.distances(speech, target, weights);
      await check({ at: speech, gradient, sum, step: 1e-4, within: 5e-3 });
    });
  }

  it("leads to smaller distances by every network", { timeout: 60_000 }, async () => {
    const first = await gradients.distances(speech, target, both);
    let samples = speech;
    let last = first;
    for (let step = 0; step < 4; step++) {
      samples = moved(samples, -0.003, unit(last.gradient));
      const next = await gradients.distances(samples, target, both);
      assert.ok(next.xvector + total(next.networks) < last.xvector + total(last.networks), `step ${step}`);
      last = next;
    }
    assert.equal(last.networks.length, 3);
    for (const [i, distance] of [last.xvector, ...last.networks].entries())
      assert.ok(distance < ([first.xvector, ...first.networks][i] ?? 0), `network ${i}`);
  });

  it("comes with the distances of the vectors", { timeout: 60_000 }, async () => {
    const { xvector, networks } = await gradients.distances(speech, target, both);
    const vectors = await measure.vectorsOf(speech, signal);
    assert.ok(Math.abs(xvector - (1 - cosine(vectors.xvector, target.xvector))) < 1e-5);
    for (const [i, distance] of networks.entries()) {
      const [found, wanted] = [vectors, target].map((each) => each.networks[i] ?? new Float32Array(0));
      assert.ok(found && wanted && Math.abs(distance - (1 - cosine(found, wanted))) < 1e-5);
    }
  });

  it("compares each network with its own vector", { timeout: 60_000 }, async () => {
    const { networks } = await measure.vectorsOf(speech, signal);
    const own = await gradients.distances(speech, { ...target, networks }, both);
    const mixed = await gradients.distances(speech, { ...target, networks: networks.toReversed() }, both);
    for (const [i, distance] of own.networks.entries()) {
      assert.ok(Math.abs(distance) < 1e-5);
      assert.equal((mixed.networks[i] ?? 0) < 1e-5, i === 1);
    }
  });

  it("needs a vector of each network", { timeout: 60_000 }, async () => {
    const one = { ...target, networks: target.networks.slice(0, 1) };
    await assert.rejects(gradients.distances(speech, one, both), /1 vectors for 3/);
  });

  it("is measured by vectors of length 1 for long speech, until it is aborted", { timeout: 60_000 }, async () => {
    const long = concatSamples(Array.from({ length: 5 }, () => speech));
    const vectors = await measure.vectorsOf(long, signal);
    for (const vector of [vectors.xvector, ...vectors.networks]) assert.ok(Math.abs(length(vector) - 1) < 1e-5);
    await assert.rejects(measure.vectorsOf(long, AbortSignal.abort()), { name: "AbortError" });
  });

  it("needs speech", { timeout: 60_000 }, async () => {
    await assert.rejects(gradients.distances(new Float32Array(100), target, both), /no speech/);
    await assert.rejects(measure.vectorsOf(new Float32Array(100), signal), /no speech/);
  });

  it("has numbers for silence", { timeout: 60_000 }, async () => {
    const silence = new Float32Array(RATE);
    const { xvector, networks } = await measure.vectorsOf(silence, signal);
    const { gradient } = await gradients.distances(silence, target, both);
    for (const values of [xvector, ...networks, gradient]) assert.ok(values.every(Number.isFinite));
  });

  it("leaves no session open when a network is missing", { timeout: 60_000 }, async (context) => {
    const { prototype } = InferenceSession as unknown as { prototype: InferenceSession };
    const release = context.mock.method(prototype, "release");
    const missing = { ...files, networks: [...files.networks.slice(0, 1), "/nonexistent"] };
    for (const load of [loadSpeakerVectors, loadSpeakerGradients]) {
      const before = release.mock.callCount();
      await assert.rejects(load(missing));
      assert.equal(release.mock.callCount() - before, 2);
    }
  });

  const isEnergy = (_: number, i: number) => i % MFCC_SIZE === 0;
  const frontEnds = [
    {
      // Beside the other features it would be too small to be seen.
      name: "energy",
      step: 0.003,
      features: (samples: Float32Array) => mfcc(samples).filter(isEnergy),
      gradientBy: (samples: Float32Array, weights: Float32Array) => {
        const whole = new Float32Array(weights.length * MFCC_SIZE);
        return mfccGradient(
          samples,
          whole.map((_, i) => (isEnergy(0, i) ? (weights[i / MFCC_SIZE] ?? 0) : 0)),
        );
      },
    },
    { name: "cepstral features", step: 3e-4, features: mfcc, gradientBy: mfccGradient },
    { name: "mel bands", step: 3e-4, features: melBands, gradientBy: melBandsGradient },
  ];
  for (const { name, step, features, gradientBy } of frontEnds) {
    it(`is that of finite differences for the ${name} alone`, { timeout: 60_000 }, async () => {
      const weights = noise(features(speech).length, 1, 3);
      const sum = (samples: Float32Array) => product(features(samples), weights);
      await check({ at: speech, gradient: gradientBy(speech, weights), sum, step, within: 3e-4 });
    });

    it(`is zero in silence for the ${name}`, { timeout: 60_000 }, () => {
      const silence = new Float32Array(RATE);
      assert.ok(gradientBy(silence, noise(features(silence).length, 1, 3)).every((value) => value === 0));
    });
  }

  it("is that of a linear map for the sliding mean", { timeout: 60_000 }, () => {
    for (const frames of [10, 299, 328, 700]) {
      const [features, weights] = [noise(frames * MFCC_SIZE, 1, 1), noise(frames * MFCC_SIZE, 1, 2)];
      const expected = product(withoutSlidingMean(features), weights);
      const found = product(features, slidingMeanGradient(weights));
      assert.ok(Math.abs(found - expected) < 1e-4, `${found} instead of ${expected} for ${frames} frames`);
    }
  });
});

async function narrow(path: string, seconds: number): Promise<Float32Array> {
  const { sampleRate, samples } = decodeAudio(await readFile(path));
  const resampler = createResampler(sampleRate, RATE);
  return concatSamples([resampler.push(samples), resampler.flush()]).slice(0, Math.round(seconds * RATE));
}
