import assert from "node:assert/strict";
import { test } from "node:test";
import { noise, tone } from "../../testing/signals.ts";
import { createFourier } from "./fourier.ts";
import { logMel, melBands } from "./mel.ts";

test("the transform of 400 numbers equals its definition", () => {
  const real = Float64Array.from(noise(400, 1, 5));
  const imaginary = Float64Array.from(noise(400, 1, 6));
  const [r, i] = [real.slice(), imaginary.slice()];
  createFourier(400).transform(r, i);
  for (const bin of [0, 1, 37, 200, 399]) {
    let [sumReal, sumImaginary] = [0, 0];
    for (let at = 0; at < 400; at++) {
      const angle = (-2 * Math.PI * bin * at) / 400;
      sumReal += (real[at] ?? 0) * Math.cos(angle) - (imaginary[at] ?? 0) * Math.sin(angle);
      sumImaginary += (real[at] ?? 0) * Math.sin(angle) + (imaginary[at] ?? 0) * Math.cos(angle);
    }
    assert.ok(Math.hypot((r[bin] ?? 0) - sumReal, (i[bin] ?? 0) - sumImaginary) < 1e-9, `bin ${bin}`);
  }
});

test("a tone has the highest value in its band, and the silence after it a low one", () => {
  const columns = 100;
  const mel = logMel(tone(16_000, 0.5, 1000), columns);
  const column = (at: number) => Array.from({ length: melBands }, (_, band) => mel[band * columns + at] ?? 0);
  const during = column(20);
  // 1000 Hz is 15 mel of 45.2 for 80 bands.
  assert.ok(Math.abs(during.indexOf(Math.max(...during)) - 26) <= 1);
  assert.ok(Math.max(...column(90)) <= Math.min(...during) + 1e-6);
});

test("columns in pairs equal those computed separately", () => {
  const samples = noise(16_000, 0.3);
  const whole = logMel(samples, 100);
  const later = logMel(samples.subarray(160), 100);
  for (const band of [0, 40, 79]) {
    assert.ok(Math.abs((whole[band * 100 + 51] ?? 0) - (later[band * 100 + 50] ?? 0)) < 0.02, `band ${band}`);
  }
});
