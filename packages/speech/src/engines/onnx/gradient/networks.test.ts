import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import type { Tensor } from "onnxruntime-node";
import { prosodyOf, readReference } from "../../../testing/kokoro-reference.ts";
import { testModels } from "../../../testing/models.ts";
import { noise } from "../../../testing/signals.ts";
import { withoutRounding } from "../../../testing/without-rounding.ts";
import { xvectorFiles } from "../../../voices/clone/xvector/files.ts";
import { readComponents } from "../../../voices/clone/xvector/kaldi.ts";
import { MFCC_SIZE } from "../../../voices/clone/xvector/mfcc.ts";
import { frameNetwork } from "../../../voices/clone/xvector/network.ts";
import { cosine, unit } from "../../../voices/clone/xvector/vectors.ts";
import { conditionOf } from "../../kokoro/student/condition.ts";
import { MODULATION, OUTPUTS, withOffsets } from "../../kokoro/student/offsets.ts";
import { ASR, BINS, CONDITION, CONTEXT, FEATURES } from "../../kokoro/student/shape.ts";
import { studentFile } from "../../kokoro/student/student-file.ts";
import { floats, floatsOf, openSession } from "../../session.ts";
import { gradientOf, withGradient } from "./gradient.ts";

type Values = Readonly<Record<string, Float32Array>>;

interface Network {
  readonly model: Uint8Array;
  readonly feeds: Readonly<Record<string, Tensor>>;
  /** The gradients of its outputs. */
  readonly given: Readonly<Record<string, Tensor>>;
}

const random = (seed: number, amplitude: number, ...shape: number[]) =>
  floats(
    noise(
      shape.reduce((product, size) => product * size, 1),
      amplitude,
      seed,
    ),
    ...shape,
  );
const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const length = (a: Float32Array) => Math.sqrt(product(a, a));
const dataOf = (tensor: Tensor | undefined) => (tensor?.data ?? new Float32Array(0)) as Float32Array;

/** The gradients by some inputs, and the sum that they are of, where an input has other values. */
async function open({ model, feeds, given }: Network, by: readonly string[]) {
  const session = await openSession(withGradient(model, { of: Object.keys(given), by }), 1);
  const gradients = Object.fromEntries(Object.entries(given).map(([name, tensor]) => [gradientOf(name), tensor]));
  const results = await session.run({ ...feeds, ...gradients });
  return {
    gradients: Object.fromEntries(by.map((name) => [name, floatsOf(results, gradientOf(name))])) as Values,
    async sumWith(name: string, data: Float32Array): Promise<number> {
      const changed = floats(data, ...(feeds[name]?.dims ?? []));
      const outputs = await session.run({ ...feeds, ...gradients, [name]: changed });
      return Object.entries(given).reduce(
        (sum, [output, tensor]) => sum + product(floatsOf(outputs, output), dataOf(tensor)),
        0,
      );
    },
    close: () => session.release(),
  };
}

/**
 * Compares with finite differences along the gradient, where they are largest, and along random directions, which would show a
 * part of it that is missing. `steps`: how far each input is moved; networks with many edges (Relu) need short steps.
 */
async function check(network: Network, steps: Readonly<Record<string, number>>): Promise<void> {
  const { gradients, sumWith, close } = await open(network, Object.keys(steps));
  for (const [name, step] of Object.entries(steps)) {
    const gradient = gradients[name] ?? new Float32Array(0);
    const start = dataOf(network.feeds[name]);
    const directions = [gradient, noise(gradient.length, 1, 11), noise(gradient.length, 1, 12)].map(unit);
    for (const [i, direction] of directions.entries()) {
      const moved = (by: number) =>
        sumWith(
          name,
          start.map((value, at) => value + by * (direction[at] ?? 0)),
        );
      const expected = ((await moved(step)) - (await moved(-step))) / (2 * step);
      const found = product(gradient, direction);
      const apart = Math.abs(found - expected) / length(gradient);
      assert.ok(apart < (i === 0 ? 5e-3 : 2e-3), `${found} instead of ${expected} by ${name}, direction ${i}`);
    }
  }
  await close();
}

describe("the gradients of networks", { timeout: 300_000 }, () => {
  const speakerNetworks = ["speaker-network", "refinement-wide", "refinement-mixed"];
  for (const name of speakerNetworks) {
    for (const frames of [53, 64]) {
      it(`are those of finite differences for ${name} and ${frames} frames`, { timeout: 60_000 }, async () => {
        const file = new URL(`../../../../assets/voice-encoder/${name}.onnx`, import.meta.url);
        const network = {
          model: await readFile(file),
          feeds: { features: random(1, 1.7, 1, 40, frames) },
          given: { vector: random(2, 1.7, 1, 128) },
        };
        await check(network, { features: 0.005 });
      });
    }
  }

  it("are those of finite differences for the frames of the x-vector", { timeout: 60_000 }, async () => {
    const file = await readFile(xvectorFiles(await testModels("xvector")).network);
    const network = {
      model: frameNetwork(readComponents(file)),
      feeds: { features: random(1, 17, 1, MFCC_SIZE, 40) },
      given: { frames: random(2, 1.7, 1, 1500, 40) },
    };
    await check(network, { features: 0.003 });
  });

  it("are those of finite differences for the student without rounding", { timeout: 120_000 }, async () => {
    const network = await student();
    const steps = { condition: 0.002, "modulation.0": 0.05, "modulation.7": 0.05 };
    await check({ ...network, model: withoutRounding(network.model) }, steps);
  });

  // Differences of rounded numbers are not near the gradient at any length of the step: it is compared with that of exact numbers.
  it("are nearly the same for the student with rounding", { timeout: 120_000 }, async () => {
    const network = await student();
    const by = ["condition", ...MODULATION];
    const [exact, rounded] = await Promise.all(
      [withoutRounding(network.model), network.model].map((model) => open({ ...network, model }, by)),
    );
    for (const name of by) {
      const [expected, found] = [exact, rounded].map((each) => each?.gradients[name] ?? new Float32Array(0));
      assert.ok(
        expected && found && cosine(expected, found) > 0.98,
        `${name}: ${expected && found && cosine(expected, found)}`,
      );
      assert.ok(Math.abs(length(found) / length(expected) - 1) < 0.2, `${name}: ${length(found) / length(expected)}`);
    }
    await Promise.all([exact?.close(), rounded?.close()]);
  });
});

/** The student, with a text of the reference. */
async function student(): Promise<Network> {
  const reference = readReference(await readFile(new URL("reference.bin", studentFile)));
  const { asr, pitch, energy } = reference;
  const frames = pitch.length;
  const features = new Float32Array((frames + 2 * CONTEXT) * FEATURES);
  for (const [frame, hertz] of pitch.entries()) {
    const row = (frame + CONTEXT) * FEATURES;
    const at = Math.floor(frame / 2) * ASR;
    features.set(asr.subarray(at, at + ASR), row);
    features.set(
      [hertz > 10 ? Math.log(hertz / 200) : 0, hertz > 10 ? 1 : 0, 0.15 * (energy[frame] ?? 0), 1],
      row + ASR,
    );
  }
  const condition = conditionOf(prosodyOf(reference));
  return {
    model: withOffsets(await readFile(studentFile)),
    feeds: {
      features: floats(features, 1, frames + 2 * CONTEXT, FEATURES),
      condition: floats(condition, 1, CONDITION),
      ...Object.fromEntries(MODULATION.map((name, i) => [name, random(i + 3, 0.002, 1, 896)])),
    },
    given: Object.fromEntries(OUTPUTS.map((name, i) => [name, random(i + 20, 1.7, 1, frames, BINS)])),
  };
}
