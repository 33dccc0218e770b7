import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { measurePitch, medianPitch } from "./pitch.ts";

/** A voice-like tone: the harmonics of a voice fall off at this rate. */
function tone(hertz: number, seconds: number, rate = 8000): Float32Array {
  return Float32Array.from({ length: seconds * rate }, (_, i) => {
    let sample = 0;
    for (let harmonic = 1; harmonic * hertz < rate / 2; harmonic++) {
      sample += Math.sin((2 * Math.PI * harmonic * hertz * i) / rate) / harmonic;
    }
    return 0.2 * sample;
  });
}

describe("the median pitch", () => {
  for (const hertz of [75, 110, 160, 220, 330]) {
    it(`of a voice at ${hertz} Hz is measured`, () => {
      const pitch = medianPitch(tone(hertz, 1), 8000) ?? 0;
      assert.ok(Math.abs(Math.log2(pitch / hertz)) < 0.04, String(pitch));
    });
  }

  it("comes with the range of the pitch, which octave errors do not change", () => {
    const steps = (pitches: readonly number[]) => {
      const tones = pitches.map((hertz) => tone(hertz, 0.5));
      return Float32Array.from(tones.flatMap((each) => [...each]));
    };
    const rangeOf = (pitches: readonly number[]) => measurePitch(steps(pitches), 8000).pitchRange ?? 0;
    assert.ok(rangeOf([160]) < 0.02);
    const range = rangeOf([100, 120, 140, 160, 180, 200]);
    assert.ok(Math.abs(range - Math.log2(180 / 120)) < 0.1, String(range));
    const wrong = rangeOf([100, 120, 140, 160, 180, 200, 80, 360]);
    assert.ok(Math.abs(wrong - range) < 0.35, String(wrong));
    assert.equal(measurePitch(new Float32Array(8000), 8000).pitchRange, undefined);
  });

  it("is undefined without speech", () => {
    assert.equal(medianPitch(new Float32Array(8000), 8000), undefined);
    assert.equal(medianPitch(tone(150, 0.1), 8000), undefined);
    let state = 1;
    const noise = Float32Array.from({ length: 8000 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return state / 2 ** 31;
    });
    assert.equal(medianPitch(noise, 8000), undefined);
  });
});
