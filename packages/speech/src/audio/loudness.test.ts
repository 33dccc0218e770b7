import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createScratch } from "../lib/scratch.ts";
import { concatSamples, decibels, noise, peak, pieces, rms, speechLike, tone } from "../testing/signals.ts";
import { createKWeighting, lufsOf } from "./k-weighting.ts";
import { LIMITER_CEILING } from "./limiter.ts";
import { createLoudness, type LoudnessOptions, TARGET_LUFS } from "./loudness.ts";

const plain: LoudnessOptions = { sampleRate: 24000, volumeDb: 0, normalize: false, expectedLufs: -20 };

function run(samples: Float32Array, options: Partial<LoudnessOptions>, sizes: readonly number[] = []): Float32Array {
  const loudness = createLoudness({ ...plain, ...options });
  return concatSamples([...pieces(samples, sizes).map((piece) => loudness.push(piece)), loudness.flush()]);
}

function lufs(samples: Float32Array, sampleRate = 24000): number {
  return lufsOf(rms(samples.map(createKWeighting(sampleRate))) ** 2);
}

/** Without pauses between the syllables, so that the plain mean is the gated one. */
function steadySpeech(seconds: number, level: number): Float32Array {
  const samples = noise(24000 * seconds, 0.1);
  const gain = 10 ** ((level - lufs(samples)) / 20);
  return samples.map((sample) => sample * gain);
}

test("a full-scale tone of 997 Hz measures −3 LUFS at every rate, as in the standard", () => {
  for (const rate of [8000, 16000, 22050, 24000, 32000, 44100, 48000]) {
    const level = lufs(tone(rate, 2, 997, 1), rate);
    assert.ok(Math.abs(level + 3.01) < 0.05, `${level} LUFS at ${rate} Hz`);
  }
});

test("without volume and normalization, speech is unchanged", () => {
  const samples = speechLike(24000, 1, 0.9);
  assert.deepEqual(run(samples, {}, [100, 7]), samples);
});

test("results in reused memory are the same, until the next one", () => {
  const samples = speechLike(24000, 1, 1.5);
  for (const options of [{}, { volumeDb: 3 }, { normalize: true }]) {
    const loudness = createLoudness({ ...plain, ...options, allocate: createScratch() });
    const kept = pieces(samples, [4000, 90, 700]).map((piece) => loudness.push(piece).slice());
    assert.deepEqual(concatSamples([...kept, loudness.flush()]), run(samples, options));
  }
});

test("volume is a constant gain below the ceiling", () => {
  const samples = speechLike(24000, 1, 0.3);
  for (const volumeDb of [-20, -6, 6]) {
    const output = run(samples, { volumeDb });
    assert.ok(Math.abs(decibels(rms(output) / rms(samples)) - volumeDb) < 0.001);
  }
});

test("no setting clips, loses samples or depends on how the input is divided", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -20, max: 20 }),
      fc.boolean(),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 6 }),
      (volumeDb, normalize, amplitude, cut) => {
        const samples = speechLike(8000, 1.1, amplitude);
        const options = { sampleRate: 8000, volumeDb, normalize };
        const output = run(samples, options, cut);
        assert.equal(output.length, samples.length);
        assert.ok(peak(output) <= LIMITER_CEILING);
        assert.deepEqual(output, run(samples, options));
      },
    ),
    { numRuns: 40 },
  );
});

test("a voice with the expected loudness is at the target from the first window on", () => {
  const output = run(steadySpeech(1, -26), { normalize: true, expectedLufs: -26 });
  assert.ok(Math.abs(lufs(output.subarray(0, 4800)) - TARGET_LUFS) < 0.5);
  assert.ok(Math.abs(lufs(output) - TARGET_LUFS) < 0.5);
});

test("normalization adapts to a voice with another loudness", () => {
  for (const level of [-30, -24, -12]) {
    const output = run(steadySpeech(12, level), { normalize: true });
    const late = lufs(output.subarray(10 * 24000));
    assert.ok(Math.abs(late - TARGET_LUFS) < 1.5, `${level} LUFS came out at ${late}`);
  }
});

function gainAt(second: number, samples: Float32Array, output: Float32Array): number {
  const [from, to] = [second * 24000, second * 24000 + 240];
  return decibels(rms(output.subarray(from, to)) / rms(samples.subarray(from, to)));
}

test("the gain moves slower than 2 dB a second", () => {
  const samples = steadySpeech(4, -35);
  const output = run(samples, { normalize: true });
  const gains = [0.5, 1.5, 2.5, 3.5].map((second) => gainAt(second, samples, output));
  const steps = gains.slice(1).map((gain, i) => gain - (gains[i] ?? 0));
  assert.ok(
    steps.every((step) => step > 0.5 && step < 2),
    `${steps}`,
  );
});

test("a pause does not move the gain", () => {
  const samples = concatSamples([steadySpeech(3, -30), new Float32Array(72000), steadySpeech(1, -30)]);
  const output = run(samples, { normalize: true, expectedLufs: -30 });
  assert.ok(Math.abs(gainAt(6.02, samples, output) - gainAt(2.9, samples, output)) < 0.3);
});

test("silence and noise are not raised to the target", () => {
  const output = run(noise(48000, 0.001), { normalize: true, expectedLufs: -20 });
  assert.ok(rms(output) < 0.002);
});

test("NaN samples are silence and do not affect later samples", () => {
  const samples = steadySpeech(1, -20);
  samples[100] = Number.NaN;
  samples[101] = Number.POSITIVE_INFINITY;
  const output = run(samples, { normalize: true });
  assert.ok(output.every(Number.isFinite));
  assert.ok(rms(output.subarray(12000)) > 0.01);
});
