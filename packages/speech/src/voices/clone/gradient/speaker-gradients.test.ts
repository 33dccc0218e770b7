import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createResampler } from "../../../audio/index.ts";
import { cloningEngine } from "../../../engines/registry.ts";
import { concatSamples } from "../../../lib/concat.ts";
import { decodeAudio } from "../../../testing/decode-audio.ts";
import { testModels } from "../../../testing/models.ts";
import { realSpeech } from "../../../testing/real-speech.ts";
import { noise } from "../../../testing/signals.ts";
import { melBands, melBandsGradient } from "../mel-bands.ts";
import { loadSpeakerNetwork, meanVectorOf } from "../speaker-network.ts";
import { xvectorFiles } from "../xvector/files.ts";
import { MFCC_SIZE, mfcc, mfccGradient, slidingMeanGradient, withoutSlidingMean } from "../xvector/mfcc.ts";
import { cosine } from "../xvector/vectors.ts";
import { loadXVector } from "../xvector/xvector.ts";
import {
  loadSpeakerGradients,
  type SpeakerGradientFiles,
  type SpeakerGradients,
  type SpeakerVectors,
} from "./speaker-gradients.ts";

const RATE = 8000;
const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const length = (a: Float32Array) => Math.sqrt(product(a, a));
const unit = (a: Float32Array) => {
  const whole = length(a);
  return a.map((value) => value / whole);
};
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
  let files: SpeakerGradientFiles;
  let speech: Float32Array;
  let target: SpeakerVectors;
  let gradients: SpeakerGradients;
  before(async () => {
    const models = await testModels("test-speech", "xvector");
    files = { xvector: xvectorFiles(models), speakerNetwork: fileURLToPath(cloningEngine.cloning.speakerNetwork) };
    const clips = realSpeech(models);
    const clip = (name: RegExp, seconds: number) =>
      narrow(clips.find((each) => name.test(each.name))?.path ?? "", seconds);
    // Where pauses are nearly silent, only very small differences are near the gradient.
    speech = moved(await clip(/austen/, 3.3), 1, noise(3.3 * RATE, 0.003));
    target = await vectorsOf(files, await clip(/jfk/, 5));
    gradients = await loadSpeakerGradients(files);
  });
  after(() => gradients.close());

  for (const weights of [
    { byXVector: 1, byNetwork: 0 },
    { byXVector: 0, byNetwork: 1 },
    { byXVector: 0.5, byNetwork: 2 },
  ]) {
    const title = `${weights.byXVector} and ${weights.byNetwork}`;
    it(`is that of finite differences with the weights ${title}`, { timeout: 60_000 }, async () => {
      const sum = async (samples: Float32Array) => {
        const { byXVector, byNetwork } = await gradients.distances(samples, target, weights);
        return weights.byXVector * byXVector + weights.byNetwork * byNetwork;
      };
      const { gradient } = await gradients.distances(speech, target, weights);
      await check({ at: speech, gradient, sum, step: 1e-4, within: 5e-3 });
    });
  }

  it("leads to smaller distances", { timeout: 60_000 }, async () => {
    let samples = speech;
    let last = await gradients.distances(samples, target);
    for (let step = 0; step < 4; step++) {
      samples = moved(samples, -0.003, unit(last.gradient));
      const next = await gradients.distances(samples, target);
      assert.ok(next.byXVector + next.byNetwork < last.byXVector + last.byNetwork, `step ${step}`);
      last = next;
    }
  });

  it("comes with the distances of the vectors", { timeout: 60_000 }, async () => {
    const { byXVector, byNetwork } = await gradients.distances(speech, target);
    const vectors = await vectorsOf(files, speech);
    assert.ok(Math.abs(byXVector - (1 - cosine(vectors.xvector, target.xvector))) < 1e-5);
    assert.ok(Math.abs(byNetwork - (1 - cosine(vectors.networkVector, target.networkVector))) < 1e-5);
  });

  it("needs speech", { timeout: 60_000 }, async () => {
    await assert.rejects(gradients.distances(new Float32Array(100), target), /no speech/);
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

async function vectorsOf(files: SpeakerGradientFiles, samples: Float32Array): Promise<SpeakerVectors> {
  const xvector = await loadXVector(files.xvector);
  const network = await loadSpeakerNetwork(files.speakerNetwork);
  const vectors = {
    xvector: await xvector.embed(samples),
    networkVector: await meanVectorOf(network, samples, new AbortController().signal),
  };
  await Promise.all([xvector.close(), network.close()]);
  return vectors;
}

async function narrow(path: string, seconds: number): Promise<Float32Array> {
  const { sampleRate, samples } = decodeAudio(await readFile(path));
  const resampler = createResampler(sampleRate, RATE);
  return concatSamples([resampler.push(samples), resampler.flush()]).slice(0, Math.round(seconds * RATE));
}
