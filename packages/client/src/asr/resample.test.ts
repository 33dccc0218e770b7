import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resample } from "./resample.ts";

function tone(hertz: number, rate: number, seconds: number): Float32Array {
  return Float32Array.from({ length: Math.round(rate * seconds) }, (_, i) =>
    Math.sin((2 * Math.PI * hertz * i) / rate),
  );
}

async function lower(input: Float32Array, from: number, to = 16_000, piece = 1000): Promise<Float32Array> {
  async function* pieces() {
    for (let at = 0; at < input.length; at += piece) yield input.slice(at, at + piece);
  }
  const out: number[] = [];
  for await (const part of resample(pieces(), from, to)) out.push(...part);
  return Float32Array.from(out);
}

/** The largest difference, away from the ends, where the tone begins and stops at once. */
function difference(a: Float32Array, b: Float32Array): number {
  let max = 0;
  for (let i = 200; i < Math.min(a.length, b.length) - 200; i += 1)
    max = Math.max(max, Math.abs((a[i] ?? 0) - (b[i] ?? 0)));
  return max;
}

describe("a lower sample rate", () => {
  for (const rate of [48_000, 44_100, 32_000, 22_050, 24_000, 96_000]) {
    it(`keeps the speech band without delay, from ${rate} Hz`, async () => {
      for (const hertz of [100, 1000, 6000]) {
        const result = await lower(tone(hertz, rate, 0.5), rate);
        assert.ok(Math.abs(result.length - 8000) <= 1, `${result.length} samples`);
        const error = difference(result, tone(hertz, 16_000, 0.5));
        assert.ok(error < 0.01, `${hertz} Hz: ${error}`);
      }
    });

    it(`has no aliasing from ${rate} Hz`, async () => {
      for (const hertz of [9500, 11_000].filter((each) => each < rate / 2)) {
        const result = await lower(tone(hertz, rate, 0.5), rate);
        const error = difference(result, new Float32Array(8000));
        assert.ok(error < 0.01, `${hertz} Hz: ${error}`);
      }
    });
  }

  it("does not depend on the size of the chunks", async () => {
    const input = tone(700, 44_100, 0.2);
    const whole = await lower(input, 44_100, 16_000, input.length);
    for (const piece of [1, 7, 4410]) assert.deepEqual(await lower(input, 44_100, 16_000, piece), whole);
  });

  it("returns the input when the rates are equal", async () => {
    const input = tone(700, 16_000, 0.1);
    assert.deepEqual(await lower(input, 16_000), input);
  });
});
