import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createFft } from "../../../audio/fft.ts";
import { prosodyOf, readReference, repeatedProsody } from "../../../testing/kokoro-reference.ts";
import { noise as whiteNoise } from "../../../testing/signals.ts";
import { loadStudentNetwork, type StudentNetwork } from "./network.ts";
import { createNoiseSpectra, NOISE_FRAMES, noiseAt } from "./noise.ts";
import { DECODER_OFFSETS } from "./offsets.ts";
import { ASR, BINS, FFT_SIZE, HOP, hann, type Prosody, WINDOW_START } from "./shape.ts";
import { createSource } from "./signals.ts";
import { createStudentStream } from "./student.ts";
import { studentFile } from "./student-file.ts";

const reference = readReference(await readFile(new URL("reference.bin", studentFile)));
const frames = reference.pitch.length;

const prosody = prosodyOf(reference);
/** The reference repeated several times: longer than the context of the network. */
const repeated = (times: number) => repeatedProsody(prosody, times);

function maxDifference(a: Float32Array, b: Float32Array): number {
  assert.equal(a.length, b.length);
  return a.reduce((max, value, i) => Math.max(max, Math.abs(value - (b[i] ?? 0))), 0);
}

const energy = (samples: Float32Array): number => samples.reduce((sum, value) => sum + value * value, 0);

/** How far the difference of two signals is below them. */
function decibelsBetween(a: Float32Array, b: Float32Array): number {
  assert.equal(a.length, b.length);
  return 10 * Math.log10(energy(b) / energy(a.map((value, i) => value - (b[i] ?? 0))));
}

describe("the student of Kokoro's decoder", () => {
  let network: StudentNetwork;
  before(async () => {
    network = await loadStudentNetwork(fileURLToPath(studentFile), 2);
  });
  after(() => network.close());

  async function windows(
    text: Prosody,
    plan: readonly number[],
    noise = 0,
    offsets?: Float32Array,
  ): Promise<Float32Array[]> {
    const stream = createStudentStream(network, text, { maxFrames: Math.max(...plan), noise, offsets });
    const all: Float32Array[] = [];
    for (let decoded = 0, index = 0; decoded < stream.frames; index++) {
      const window = await stream.next(plan[Math.min(index, plan.length - 1)] ?? 1);
      decoded += window.length / HOP;
      all.push(window);
    }
    assert.equal((await stream.next(1)).length, 0, "nothing follows the last frame");
    return all;
  }
  const joined = async (text: Prosody, plan: readonly number[], noise = 0, offsets?: Float32Array) =>
    Float32Array.from((await windows(text, plan, noise, offsets)).flatMap((window) => [...window]));

  test("gives the samples of the reference", async () => {
    // Where a value lies between two steps of eight bits, the last bit of a sine decides: the sound is the same, not each sample.
    const spoken = await joined(prosody, [frames]);
    const decibels = decibelsBetween(spoken, reference.waveform);
    assert.ok(decibels > 30, `the difference is ${decibels.toFixed(1)} dB below the reference`);
  });

  test("windows of any size give the same samples", async () => {
    const text = repeated(5);
    const whole = await joined(text, [text.pitch.length]);
    for (const plan of [[2], [5], [16], [24, 48, 96], [7, 1, 90], [179], [80]]) {
      const parts = await windows(text, plan);
      const first = parts[0] ?? new Float32Array(0);
      assert.equal(first.length, (plan[0] ?? 0) * HOP);
      assert.ok(maxDifference(first, whole.subarray(0, first.length)) < 1e-4, `the first window of ${plan}`);
      const difference = maxDifference(Float32Array.from(parts.flatMap((part) => [...part])), whole);
      assert.ok(difference < 1e-4, `windows of ${plan} differ by ${difference}`);
    }
  });

  test("windows of a single frame give the same sound", async () => {
    const text = repeated(5);
    // On some processors, the kernel for a single row has other last bits, so a value may lie on another step of eight bits.
    const decibels = decibelsBetween(await joined(text, [1]), await joined(text, [text.pitch.length]));
    assert.ok(decibels > 35, `the difference is ${decibels.toFixed(1)} dB below the sound`);
  });

  test("windows give the same samples with offsets, which change the sound", { timeout: 60_000 }, async () => {
    const text = repeated(3);
    const offsets = whiteNoise(DECODER_OFFSETS, 0.1, 8);
    const whole = await joined(text, [text.pitch.length], 0, offsets);
    for (const plan of [[2], [24, 48, 96], [7, 1, 90]]) {
      const difference = maxDifference(await joined(text, plan, 0, offsets), whole);
      assert.ok(difference < 1e-4, `windows of ${plan} differ by ${difference}`);
    }
    const plain = await joined(text, [text.pitch.length]);
    assert.ok(maxDifference(whole, plain) > 0.01);
    const none = new Float32Array(DECODER_OFFSETS);
    assert.deepEqual(await joined(text, [text.pitch.length], 0, none), plain, "zeros change nothing");
  });

  test("frames that are skipped do not change those after them", async () => {
    const text = repeated(5);
    const whole = await joined(text, [text.pitch.length]);
    for (const skip of [1, 2, 3, 26, 27, 28, 80, text.pitch.length - 1]) {
      const stream = createStudentStream(network, text, { maxFrames: 200, skip });
      const difference = maxDifference(await stream.next(200), whole.subarray(skip * HOP));
      assert.ok(difference < 1e-4, `without the first ${skip} they differ by ${difference}`);
    }
  });

  test("there is no click at window boundaries", async () => {
    const text = repeated(5);
    const size = 8;
    const samples = await joined(text, [size]);
    // The bend of the wave, which a step or a kink makes large.
    const bend = (at: number) => Math.abs((samples[at - 1] ?? 0) - 2 * (samples[at] ?? 0) + (samples[at + 1] ?? 0));
    const loudest = (keep: (at: number) => boolean) => {
      const bends: number[] = [];
      for (let at = 1; at < samples.length - 1; at++) if (keep(at)) bends.push(bend(at));
      bends.sort((a, b) => a - b);
      return { median: bends[Math.floor(bends.length / 2)] ?? 0, most: bends.at(-1) ?? 0 };
    };
    const border = (at: number) => Math.min(at % (size * HOP), size * HOP - (at % (size * HOP))) <= 1;
    const [there, elsewhere] = [loudest(border), loudest((at) => !border(at))];
    assert.ok(there.most <= elsewhere.most, `${there.most} at borders, ${elsewhere.most} elsewhere`);
    assert.ok(there.median <= elsewhere.median * 2, `${there.median} at borders, ${elsewhere.median} elsewhere`);
  });

  test("other noise changes the sound a little, the same noise not at all", async () => {
    const once = await joined(prosody, [frames], 12_345);
    assert.deepEqual(await joined(prosody, [frames], 12_345), once);
    const plain = await joined(prosody, [frames]);
    assert.ok(maxDifference(once, plain) > 1e-4);
  });

  test("texts of one frame pair, and of none, are spoken", async () => {
    const short = { ...prosody, asr: new Float32Array(ASR), pitch: new Float32Array(2), energy: new Float32Array(2) };
    assert.equal((await joined(short, [24])).length, 2 * HOP);
    const none = { ...prosody, asr: new Float32Array(0), pitch: new Float32Array(0), energy: new Float32Array(0) };
    assert.equal((await joined(none, [24])).length, 0);
  });

  test("the source is that of the reference, and silent outside the text", () => {
    const source = createSource(reference.pitch, -100);
    let worst = 0;
    for (let n = -100; n < frames * HOP + 500; n++) {
      source.advance(n + 1);
      const sample = source.samples[n & source.mask] ?? 0;
      worst = Math.max(worst, Math.abs(sample - (reference.source[n] ?? 0)));
      if (sample !== 0) assert.ok(n < source.voicedUntil);
    }
    // Its pulses are 10 high, and the reference was made in single precision.
    assert.ok(worst < 5e-3, `differs by ${worst}`);
  });
});

test("the noise is that of the reference, and starts again without a seam", () => {
  const { noise } = reference;
  assert.ok(
    maxDifference(
      Float32Array.from(noise, (_, n) => noiseAt(n)),
      noise,
    ) < 1e-6,
  );
  const spectra = createNoiseSpectra(createFft(FFT_SIZE));
  for (const frame of [-1, 0, NOISE_FRAMES - 1, NOISE_FRAMES]) {
    const re = Float64Array.from(hann, (window, i) => window * noiseAt(frame * HOP + WINDOW_START + i));
    const im = new Float64Array(FFT_SIZE);
    createFft(FFT_SIZE)(re, im);
    const at = spectra.at(frame);
    assert.ok(maxDifference(spectra.re.slice(at, at + BINS), Float32Array.from(re.subarray(0, BINS))) < 1e-4);
    assert.ok(maxDifference(spectra.im.slice(at, at + BINS), Float32Array.from(im.subarray(0, BINS))) < 1e-4);
  }
});

for (const size of [2, 4, 8, 16, 128])
  test(`the transform of ${size} is that of the definition, and its own inverse with the arrays swapped`, () => {
    const re = Float64Array.from({ length: size }, (_, i) => Math.sin(i * i));
    const im = Float64Array.from({ length: size }, (_, i) => Math.cos(3 * i));
    const [x, y] = [re.slice(), im.slice()];
    const fft = createFft(size);
    fft(x, y);
    for (let k = 0; k < size; k++) {
      let [real, imaginary] = [0, 0];
      for (let n = 0; n < size; n++) {
        const angle = (-2 * Math.PI * k * n) / size;
        real += (re[n] ?? 0) * Math.cos(angle) - (im[n] ?? 0) * Math.sin(angle);
        imaginary += (re[n] ?? 0) * Math.sin(angle) + (im[n] ?? 0) * Math.cos(angle);
      }
      assert.ok(Math.abs((x[k] ?? 0) - real) < 1e-12 && Math.abs((y[k] ?? 0) - imaginary) < 1e-12);
    }
    fft(y, x);
    for (let n = 0; n < size; n++) assert.ok(Math.abs((x[n] ?? 0) / size - (re[n] ?? 0)) < 1e-12);
  });
