import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createResampler } from "../../audio/index.ts";
import { rms } from "../../audio/rms.ts";
import { cloningEngine } from "../../engines/registry.ts";
import { concatSamples } from "../../lib/concat.ts";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { MEL_BANDS, melBands } from "./mel-bands.ts";
import { loadSpeakerNetwork, meanVectorOf, SPEAKER_NETWORK_RATE, type SpeakerNetwork } from "./speaker-network.ts";
import { cosine } from "./xvector/vectors.ts";

const never = new AbortController().signal;

describe("the speaker network", { timeout: 60_000 }, () => {
  let network: SpeakerNetwork;
  let reader: Float32Array;
  let kennedy: Float32Array;
  before(async () => {
    network = await loadSpeakerNetwork(fileURLToPath(cloningEngine.cloning.speakerNetwork));
    const clips = realSpeech(await testModels("test-speech"));
    const speechOf = async (name: RegExp): Promise<Float32Array> => {
      const files = clips.filter((each) => name.test(each.name));
      return concatSamples(await Promise.all(files.map(({ path }) => narrow(path))));
    };
    [reader, kennedy] = await Promise.all([speechOf(/austen/), speechOf(/jfk/)]);
  });
  after(() => network.close());
  const vectorOf = (samples: Float32Array) => meanVectorOf(network, samples, never);

  it("gives two halves of one speaker similar vectors of length 1, and another speaker another one", async () => {
    const middle = reader.length / 2;
    const [one, two, other] = await Promise.all([
      vectorOf(reader.subarray(0, middle)),
      vectorOf(reader.subarray(middle)),
      vectorOf(kennedy),
    ]);
    for (const vector of [one, two, other]) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    const [same, different] = [cosine(one, two), Math.max(cosine(one, other), cosine(two, other))];
    assert.ok(same > different + 0.2, `${same}, and ${different} for another speaker`);
  });

  it("hears the same at any level", async () => {
    const quiet = await vectorOf(kennedy.map((sample) => sample / 50));
    assert.ok(cosine(quiet, await vectorOf(kennedy)) > 0.999);
  });

  it("works on long speech in windows, and returns their mean", async () => {
    const windows: Float32Array[] = [];
    const vectors: Float32Array[] = [];
    const observed = {
      async vectorOf(samples: Float32Array) {
        windows.push(samples);
        const vector = await network.vectorOf(samples);
        vectors.push(vector);
        return vector;
      },
    };
    const seconds = reader.length / SPEAKER_NETWORK_RATE;
    const mean = await meanVectorOf(observed, reader, never);
    assert.equal(windows.length, Math.ceil(seconds / 10));
    assert.ok(windows.length > 1, `${seconds} s`);
    assert.equal(
      windows.reduce((sum, { length }) => sum + length, 0),
      reader.length,
    );
    for (const window of windows) {
      assert.ok(window.length >= 5 * SPEAKER_NETWORK_RATE && window.length <= 10 * SPEAKER_NETWORK_RATE);
      assert.ok(Math.abs(rms(window) - 0.1) < 1e-4);
    }
    const sum = mean.map((_, i) => vectors.reduce((total, vector) => total + (vector[i] ?? 0), 0));
    assert.ok(cosine(mean, sum) > 0.9999);
    assert.ok(Math.abs(Math.hypot(...mean) - 1) < 1e-5);
  });

  it("stops between windows when the signal aborts", async () => {
    const controller = new AbortController();
    let windows = 0;
    const aborting = {
      async vectorOf(samples: Float32Array) {
        windows++;
        controller.abort(new Error("gone"));
        return network.vectorOf(samples);
      },
    };
    await assert.rejects(meanVectorOf(aborting, reader, controller.signal), /gone/);
    assert.equal(windows, 1);
  });
});

it("has a band for each frequency of speech", () => {
  const bandOf = (hertz: number): number => {
    // A second of silence first: the mean of each band is removed.
    const tone = Float32Array.from({ length: 16_000 }, (_, i) =>
      i < 8000 ? 0 : Math.sin((2 * Math.PI * hertz * i) / 8000),
    );
    const bands = melBands(tone);
    const frames = bands.length / MEL_BANDS;
    const last = Array.from({ length: MEL_BANDS }, (_, band) => bands[(band + 1) * frames - 1] ?? 0);
    return last.indexOf(Math.max(...last));
  };
  // By the formula of mel: 2595 log10(1 + hertz / 700), 41 steps from 60 to 3900 Hz.
  assert.deepEqual([200, 500, 1000, 2000, 3500].map(bandOf), [3, 9, 17, 28, 38]);
});

async function narrow(path: string): Promise<Float32Array> {
  const { sampleRate, samples } = decodeAudio(await readFile(path));
  const resampler = createResampler(sampleRate, SPEAKER_NETWORK_RATE);
  return concatSamples([resampler.push(samples), resampler.flush()]);
}
