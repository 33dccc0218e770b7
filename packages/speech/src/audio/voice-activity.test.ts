import assert from "node:assert/strict";
import { test } from "node:test";
import { decibels, noise, rms, tone } from "../testing/signals.ts";
import { createActivityDetector } from "./voice-activity.ts";

const RATE = 22050;
const HOP = 110;

/** For each 5 ms: whether there is sound. */
function activity(samples: Float32Array, sampleRate = RATE): boolean[] {
  const detector = createActivityDetector(sampleRate);
  const active: boolean[] = [];
  for (let from = 0; from + HOP <= samples.length; from += HOP)
    active.push(detector.isActive(samples, from, from + HOP));
  return active;
}

function level(samples: Float32Array, dbfs: number): Float32Array {
  const gain = 10 ** (dbfs / 20) / rms(samples);
  return samples.map((sample) => sample * gain);
}

function mix(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((sample, i) => sample + (b[i] ?? 0));
}

test("digital silence, a model's hiss and a rumble as loud as a consonant are silence", () => {
  const hiss = level(noise(RATE / 2, 1), -62);
  const rumble = mix(level(tone(RATE, 0.5, 60), -42), level(noise(RATE / 2, 1), -72));
  for (const silence of [new Float32Array(RATE / 2), hiss, rumble]) {
    assert.ok(!activity(silence).includes(true), `${decibels(rms(silence))} dBFS`);
  }
});

test("a soft consonant is sound, also out of a rumble that is as loud", () => {
  const rumble = mix(level(tone(RATE, 0.5, 60), -42), level(noise(RATE / 2, 1), -74));
  const consonant = level(noise(RATE / 4, 1, 7), -50);
  const samples = mix(
    rumble,
    Float32Array.from({ length: RATE / 2 }, (_, i) => (i < 5500 ? 0 : (consonant[i - 5500] ?? 0))),
  );
  const active = activity(samples);
  assert.ok(!active.slice(0, 49).includes(true));
  assert.ok(!active.slice(51, 95).includes(false));
});

test("a soft consonant after digital silence is sound from its first piece on", () => {
  const samples = new Float32Array(RATE / 2);
  samples.set(level(noise(RATE / 4, 1), -55), 50 * HOP);
  assert.equal(activity(samples).indexOf(true), 50);
});

test("a hum is sound though it has no hiss", () => {
  assert.ok(
    !activity(level(tone(RATE, 0.5, 120), -28))
      .slice(1)
      .includes(false),
  );
});
