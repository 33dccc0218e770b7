import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  amplitudeAt,
  concatSamples,
  decibels,
  noise,
  peak,
  pieces,
  rms,
  speechLike,
  tone,
} from "../testing/signals.ts";
import { createStretcher } from "./stretch.ts";

const sampleRate = 22_050;
const speeds = [0.5, 0.8, 1.3, 1.5, 2];
/** Pieces are joined at whole samples, so a few cents are as exact as it gets. */
const nearby = [0.997, 0.998, 0.999, 1, 1.001, 1.002, 1.003];
const anySpeed = fc.double({ min: 0.25, max: 4, noNaN: true });

function stretch(samples: Float32Array, speed: number, sizes: readonly number[] = []): Float32Array {
  const stretcher = createStretcher({ sampleRate, speed });
  const output = pieces(samples, sizes).map((piece) => stretcher.push(piece));
  return concatSamples([...output, stretcher.flush()]);
}

/** What a voice holds out: many harmonics of one pitch. */
function vowel(seconds: number, pitch: number, harmonics: number): Float32Array {
  const sum = new Float32Array(Math.round(seconds * sampleRate));
  for (let harmonic = 1; harmonic <= harmonics; harmonic++) {
    const partial = tone(sampleRate, seconds, pitch * harmonic, 0.3 / harmonic);
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (partial[at] ?? 0);
  }
  return sum;
}

function steepest(samples: Float32Array): number {
  return samples.reduce(
    (most, sample, at) => (at === 0 ? 0 : Math.max(most, Math.abs(sample - (samples[at - 1] ?? 0)))),
    0,
  );
}

function middle(samples: Float32Array): Float32Array {
  return samples.subarray(samples.length >> 2, 3 * (samples.length >> 2));
}

/** Of a sine: counted from its first rise through zero to its last. */
function frequencyOf(samples: Float32Array): number {
  const rises: number[] = [];
  samples.forEach((sample, at) => {
    const before = samples[at - 1] ?? 0;
    if (before < 0 && sample >= 0) rises.push(at - sample / (sample - before));
  });
  return ((rises.length - 1) * sampleRate) / ((rises.at(-1) ?? 0) - (rises[0] ?? 0));
}

test("gives exactly round(input / speed) samples, however short the input", () => {
  fc.assert(
    fc.property(anySpeed, fc.integer({ min: 0, max: 4000 }), (speed, length) => {
      assert.equal(stretch(noise(length, 0.5), speed).length, Math.round(length / speed));
    }),
    { numRuns: 200 },
  );
});

test("does not depend on how the input is divided", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 8 });
  const voice = speechLike(sampleRate, 0.5);
  fc.assert(
    fc.property(anySpeed, fc.integer({ min: 0, max: voice.length }), sizes, (speed, length, cut) => {
      const input = voice.subarray(0, length);
      assert.deepEqual(stretch(input, speed, cut), stretch(input, speed));
    }),
    { numRuns: 100 },
  );
});

test("passes everything through unchanged at speed 1", () => {
  const input = noise(1000, 0.5);
  assert.deepEqual(stretch(input, 1, [77]), input);
});

test("never holds more than 50 ms of input back", () => {
  const input = speechLike(sampleRate, 1);
  for (const speed of speeds) {
    const stretcher = createStretcher({ sampleRate, speed });
    let received = 0;
    let given = 0;
    for (const piece of pieces(input, [100])) {
      received += piece.length;
      given += stretcher.push(piece).length;
      const held = (received - given * speed) / sampleRate;
      assert.ok(held <= 0.05, `${held} s held at speed ${speed}`);
    }
  }
});

test("accepts the last samples with flush", () => {
  const input = speechLike(sampleRate, 0.3);
  for (const speed of [1, ...speeds]) {
    assert.deepEqual(createStretcher({ sampleRate, speed }).flush(input), stretch(input, speed));
  }
});

test("may be used again after the end of a stream", () => {
  const input = speechLike(sampleRate, 0.3);
  const stretcher = createStretcher({ sampleRate, speed: 1.5 });
  const first = concatSamples([stretcher.push(input), stretcher.flush()]);
  assert.deepEqual(concatSamples([stretcher.push(input), stretcher.flush()]), first);
});

test("silence stays silence", () => {
  for (const speed of speeds) assert.equal(peak(stretch(new Float32Array(5000), speed)), 0);
});

test("refuses unsupported speeds", () => {
  for (const speed of [0, -1, 5, Number.NaN]) assert.throws(() => createStretcher({ sampleRate, speed }), RangeError);
});

for (const speed of speeds) {
  test(`speed ${speed}: a sine keeps its frequency and its level`, () => {
    for (const hertz of [70, 100, 137, 220, 431, 1000, 3150]) {
      const output = middle(stretch(tone(sampleRate, 2, hertz), speed));
      const level = decibels(rms(output) / rms(tone(sampleRate, 1, hertz)));
      assert.ok(Math.abs(level) < 1, `${level} dB at ${hertz} Hz`);
      const frequency = frequencyOf(output);
      assert.ok(Math.abs(frequency / hertz - 1) <= 0.003, `${frequency} Hz instead of ${hertz}`);
    }
  });

  test(`speed ${speed}: a voice keeps its pitch and timbre`, () => {
    for (const pitch of [75, 110, 180, 300]) {
      const output = middle(stretch(vowel(speed, pitch, 10), speed));
      for (let harmonic = 1; harmonic <= 10; harmonic++) {
        const found = nearby.map((shift) => amplitudeAt(output, sampleRate, pitch * harmonic * shift));
        const level = decibels(Math.max(...found) / (0.3 / harmonic));
        assert.ok(Math.abs(level) < 1, `${level} dB at harmonic ${harmonic} of ${pitch} Hz`);
      }
    }
  });

  test(`speed ${speed}: smooth input does not click`, () => {
    for (const input of [tone(sampleRate, 1, 163), vowel(1, 121, 10), speechLike(sampleRate, 2)]) {
      const [before, after] = [steepest(input), steepest(stretch(input, speed))];
      assert.ok(after < 1.15 * before, `${after} after ${before}`);
    }
  });

  test(`speed ${speed}: time t moves to t / speed`, () => {
    // Bursts of 60 ms, at times that fall differently into the pieces.
    const starts = [0.1, 0.313, 0.547, 0.8, 1.066, 1.3, 1.555];
    const burst = tone(sampleRate, 0.06, 300);
    const input = new Float32Array(2 * sampleRate);
    for (const start of starts) input.set(burst, Math.round(start * sampleRate));
    const output = stretch(input, speed);
    for (const start of starts) {
      const middle = Math.round(((start + 0.03) / speed) * sampleRate);
      const around = output.subarray(
        middle - Math.round((0.1 * sampleRate) / speed),
        middle + Math.round((0.1 * sampleRate) / speed),
      );
      let weight = 0;
      let moment = 0;
      around.forEach((sample, at) => {
        weight += sample * sample;
        moment += at * sample * sample;
      });
      const off = (moment / weight - around.length / 2) / sampleRate;
      assert.ok(Math.abs(off) < 0.015, `${off} s off at ${start} s`);
    }
  });
}
