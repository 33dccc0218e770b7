import assert from "node:assert/strict";
import { test } from "node:test";
import { createFft } from "../../../audio/fft.ts";
import { noise } from "../../../testing/signals.ts";
import type { Shaping } from "./network.ts";
import { createNoiseSpectra } from "./noise.ts";
import { createOverlapAdd } from "./overlap-add.ts";
import { shapingGradient } from "./overlap-add-gradient.ts";
import { BINS, FFT_SIZE, HOP, OVERLAP } from "./shape.ts";
import { createSource } from "./signals.ts";
import { createSpectra } from "./spectra.ts";

const fft = createFft(FFT_SIZE);
const noiseSpectra = createNoiseSpectra(fft);
const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const OUTPUTS = ["gainRe", "gainIm", "noiseGain", "freeRe", "freeIm"] as const;

for (const frames of [1, 6, 7])
  test(`the gradient by filters is the transpose of synthesis, for ${frames} frames`, { timeout: 10_000 }, () => {
    const pitch = noise(frames, 60, 3).map((value) => 150 + value);
    const rows = frames + 2 * OVERLAP;
    const source = createSpectra(createSource(pitch, -HOP * OVERLAP - FFT_SIZE), fft, -OVERLAP, rows);
    source.make(frames + OVERLAP - 1);
    const filtered = { source, noise: noiseSpectra };
    const noiseFrame = 5;
    const gradient = noise(frames * HOP, 1, 9);
    const found = shapingGradient(gradient, filtered, fft, noiseFrame);
    // One output at a time, so that none can hide behind a larger one.
    for (const [i, name] of OUTPUTS.entries()) {
      const none = new Float32Array(rows * BINS);
      const zeros: Shaping = { gainRe: none, gainIm: none, noiseGain: none, freeRe: none, freeIm: none };
      const shaping = { ...zeros, [name]: noise(rows * BINS, 1, 20 + i) };
      const output = createOverlapAdd(filtered, fft, { maxFrames: frames, start: 0, noiseFrame });
      output.add(-OVERLAP, rows, shaping);
      const samples = output.take(frames);
      const expected = product(samples, gradient);
      const scale = Math.sqrt(product(samples, samples) * product(gradient, gradient));
      assert.ok(scale > 0);
      assert.ok(Math.abs(product(found[name], shaping[name]) - expected) < 1e-5 * scale, name);
    }
    // The bins at the edges, which random numbers in all bins would hide.
    for (const k of [0, 1, BINS - 2, BINS - 1]) {
      const none = new Float32Array(rows * BINS);
      const one = none.map((_, at) => (at === OVERLAP * BINS + k ? 1 : 0));
      for (const name of ["freeRe", "freeIm"] as const) {
        const zeros: Shaping = { gainRe: none, gainIm: none, noiseGain: none, freeRe: none, freeIm: none };
        const output = createOverlapAdd(filtered, fft, { maxFrames: frames, start: 0, noiseFrame });
        output.add(-OVERLAP, rows, { ...zeros, [name]: one });
        const apart = Math.abs(product(output.take(frames), gradient) - product(found[name], one));
        assert.ok(apart < 1e-6, `${name} in bin ${k} by ${apart}`);
      }
    }
  });
