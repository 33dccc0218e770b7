import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { amplitudeAt, concatSamples, decibels, noise, peak, pieces, rms, tone } from "../testing/signals.ts";
import { createResampler, SAMPLE_RATES } from "./resample.ts";

const rate = fc.constantFrom(...SAMPLE_RATES);

function resample(samples: Float32Array, from: number, to: number, sizes: readonly number[] = []): Float32Array {
  const resampler = createResampler(from, to);
  const output = pieces(samples, sizes).map((piece) => resampler.push(piece));
  return concatSamples([...output, resampler.flush()]);
}

/** Both ends hold the filter's ringing, the middle shows the filter itself. */
function middle(samples: Float32Array): Float32Array {
  return samples.subarray(samples.length >> 2, 3 * (samples.length >> 2));
}

test("gives exactly round(input × ratio) samples, however short the input", () => {
  fc.assert(
    fc.property(rate, rate, fc.integer({ min: 0, max: 3000 }), (from, to, length) => {
      assert.equal(resample(noise(length, 0.5), from, to).length, Math.round((length * to) / from));
    }),
    { numRuns: 200 },
  );
});

test("does not depend on how the input is divided", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(rate, rate, fc.integer({ min: 0, max: 5000 }), sizes, (from, to, length, cut) => {
      const input = noise(length, 0.5);
      assert.deepEqual(resample(input, from, to, cut), resample(input, from, to));
    }),
    { numRuns: 100 },
  );
});

test("passes equal rates through unchanged", () => {
  const input = noise(1000, 0.5);
  assert.deepEqual(resample(input, 24000, 24000, [77]), input);
});

for (const from of SAMPLE_RATES) {
  for (const to of SAMPLE_RATES) {
    if (from === to) continue;
    const nyquist = Math.min(from, to) / 2;

    test(`${from} → ${to}: flat to 0.9 of Nyquist and not shifted`, () => {
      for (const part of [0.05, 0.5, 0.8, 0.9]) {
        const output = resample(tone(from, 0.4, part * nyquist), from, to);
        const ideal = tone(to, 0.4, part * nyquist);
        const level = decibels(rms(middle(output)) / rms(middle(ideal)));
        assert.ok(Math.abs(level) < 0.1, `${level} dB at ${part} of Nyquist`);
        const gain = 10 ** (level / 20);
        const error = middle(output).map((sample, i) => sample / gain - (middle(ideal)[i] ?? 0));
        assert.ok(decibels(rms(error) / rms(middle(ideal))) < -85, `at ${part} of Nyquist`);
      }
    });

    test(`${from} → ${to}: nothing above Nyquist comes through or is mirrored, to −90 dB`, () => {
      if (to < from) {
        for (const part of [1.0, 1.1, 1.5, 1.9]) {
          const hertz = part * nyquist + 10;
          if (hertz > from / 2) continue;
          const output = resample(tone(from, 0.4, hertz, 1), from, to);
          const level = decibels(peak(middle(output)));
          assert.ok(level < -90, `${level} dB of a tone at ${part} of Nyquist`);
        }
      } else {
        for (const part of [0.1, 0.5, 0.9, 0.99]) {
          const image = from - part * nyquist;
          if (image > to / 2) continue;
          const output = middle(resample(tone(from, 0.6, part * nyquist, 1), from, to));
          const level = decibels(amplitudeAt(output, to, image));
          assert.ok(level < -90, `${level} dB at the image of ${part} of Nyquist`);
        }
      }
    });
  }
}

test("takes any rate of a client", () => {
  for (const from of [8001, 12_345, 37_800, 96_000]) {
    const output = resample(tone(from, 0.4, 700), from, 16_000);
    const ideal = tone(16_000, 0.4, 700);
    const error = output.slice(1000, 4000).map((sample, i) => sample - (ideal[1000 + i] ?? 0));
    assert.ok(Math.abs(output.length - ideal.length) <= 1, `${output.length}`);
    assert.ok(decibels(rms(error) / rms(middle(ideal))) < -40, `${from}`);
  }
});

test("refuses unsupported rates", () => {
  assert.throws(() => createResampler(7999, 44100), RangeError);
  assert.throws(() => createResampler(16000.5, 44100), RangeError);
  assert.throws(() => createResampler(44100, 96000), RangeError);
});

test("may be closed at any time, and then throws", () => {
  const resampler = createResampler(22050, 44100);
  resampler.push(noise(1000, 0.5));
  resampler.close();
  resampler.close();
  assert.throws(() => resampler.push(noise(10, 0.5)), /closed/);
  assert.equal(resampler.flush().length, 0);
});
