import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { concatSamples, noise, peak, pieces, tone } from "../testing/signals.ts";
import { createLimiter, LIMITER_CEILING } from "./limiter.ts";

function limit(samples: Float32Array, sampleRate = 24000, sizes: readonly number[] = []): Float32Array {
  const limiter = createLimiter(sampleRate);
  return concatSamples([...pieces(samples, sizes).map((piece) => limiter.push(piece)), limiter.flush()]);
}

const rate = fc.constantFrom(8000, 22050, 48000);
const sizes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 6 });
/** Quiet noise with bursts and single peaks of up to 30 dB too much anywhere in it. */
const wild = fc
  .tuple(
    fc.integer({ min: 0, max: 4000 }),
    fc.array(fc.tuple(fc.nat(4000), fc.nat(300), fc.float({ min: -30, max: 30, noNaN: true })), { maxLength: 8 }),
  )
  .map(([length, bursts]) => {
    const samples = noise(length, 0.8);
    for (const [at, count, gain] of bursts) {
      for (let i = at; i < Math.min(length, at + count); i++) samples[i] = (samples[i] ?? 0) * gain;
    }
    return samples;
  });

test("keeps all samples below the ceiling, independent of how the input is divided", () => {
  fc.assert(
    fc.property(wild, rate, sizes, (samples, sampleRate, cut) => {
      const output = limit(samples, sampleRate, cut);
      assert.equal(output.length, samples.length);
      assert.ok(peak(output) <= LIMITER_CEILING);
      assert.deepEqual(output, limit(samples, sampleRate));
    }),
    { numRuns: 200 },
  );
});

test("a signal below the ceiling is unchanged", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3000 }), sizes, (length, cut) => {
      const samples = noise(length, 0.965);
      assert.deepEqual(limit(samples, 22050, cut), samples);
    }),
  );
});

test("a peak reduces the gain before it, and for less than a second after it", () => {
  const samples = tone(24000, 2, 300, 0.5);
  samples[24000] = 3;
  const output = limit(samples);
  const differsAt = (from: number, to: number) =>
    samples.subarray(from, to).some((sample, i) => sample !== output[from + i]);
  assert.equal(differsAt(0, 24000 - 96), false);
  assert.equal(differsAt(24000 - 90, 24000), true);
  assert.equal(differsAt(25200, 26400), true);
  assert.equal(differsAt(44000, 48000), false);
});

test("the gain never jumps", () => {
  const samples = new Float32Array(6000).fill(0.9).fill(2.5, 2000, 2200);
  const output = limit(samples);
  const gains = samples.map((sample, i) => (output[i] ?? 0) / sample);
  const steps = gains.slice(1).map((gain, i) => Math.abs(gain - (gains[i] ?? 0)));
  assert.ok(peak(steps) < 0.01, `largest step ${peak(steps)}`);
});
