/** Objective measures of the difference between student and teacher. */
import { bandSums, fftOf, melBank, powers, RATE } from "./stft.ts";

const scales = [
  { size: 2048, step: 512, bank: melBank(2048, 128) },
  { size: 1024, step: 256, bank: melBank(1024, 100) },
  { size: 512, step: 128, bank: melBank(512, 64) },
  { size: 256, step: 64, bank: melBank(256, 32) },
];

/** Mean distance of the logarithms of mel spectra, over four resolutions. */
export function melDistance(a: Float32Array, b: Float32Array): number {
  const distances = scales.map(({ size, step, bank }) => {
    const [left, right] = [a, b].map((samples) =>
      powers(samples, size, step).map((bins) => {
        const levels = bandSums(
          bins.map((power) => Math.sqrt(power + 1e-12)),
          bank,
        );
        return levels.map((level) => Math.log(level + 1e-4));
      }),
    );
    let sum = 0;
    let count = 0;
    left?.forEach((levels, frame) => {
      levels.forEach((level, band) => {
        sum += Math.abs(level - (right?.[frame]?.[band] ?? 0));
        count++;
      });
    });
    return sum / count;
  });
  return distances.reduce((sum, value) => sum + value, 0) / distances.length;
}

const SPECTRUM_BANDS = 24;
const spectrumBank = melBank(2048, SPECTRUM_BANDS);

/** The mean level in each of 24 bands, dB. */
export function longTermSpectrum(samples: Float32Array): Float64Array {
  const frames = powers(samples, 2048, 512);
  const mean = frames[0]?.map((_, bin) => frames.reduce((sum, bins) => sum + (bins[bin] ?? 0), 0) / frames.length);
  return bandSums(mean ?? new Float32Array(0), spectrumBank).map((power) => 10 * Math.log10(power + 1e-9));
}

/** The share of the energy below a frequency, dB. */
export function energyBelow(samples: Float32Array, hertz: number): number {
  const size = 2 ** Math.ceil(Math.log2(samples.length));
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  samples.forEach((sample, i) => {
    re[i] = sample * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / samples.length));
  });
  fftOf(size)(re, im);
  let below = 0;
  let all = 0;
  for (let bin = 0; bin <= size / 2; bin++) {
    const power = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    all += power;
    if ((bin * RATE) / size < hertz) below += power;
  }
  return 10 * Math.log10(below / all + 1e-12);
}

const FRAME = 600;
const SILENT = 2e-4;

/** The student's level where the teacher is silent for 75 ms, dBFS, for each 25 ms of it. */
export function levelsInSilence(teacher: Float32Array, student: Float32Array): number[] {
  const frame = (samples: Float32Array, index: number) => samples.subarray(index * FRAME, (index + 1) * FRAME);
  const silent = Array.from({ length: Math.floor(teacher.length / FRAME) }, (_, index) =>
    frame(teacher, index).every((sample) => Math.abs(sample) < SILENT),
  );
  return silent.flatMap((_, index) => {
    if (!silent[index - 1] || !silent[index] || !silent[index + 1]) return [];
    return [20 * Math.log10(level(frame(student, index)) + 1e-7)];
  });
}

export function level(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

const AROUND = 240;

/** The curvature of the waveform at each position, relative to the 10 ms on either side. A click has a high value. */
export function relativeCurvature(samples: Float32Array, positions: readonly number[]): number[] {
  const curvature = (at: number) => Math.abs((samples[at - 1] ?? 0) - 2 * (samples[at] ?? 0) + (samples[at + 1] ?? 0));
  return positions.map((position) => {
    let around = 0;
    for (let at = position - AROUND; at < position + AROUND; at++) around += curvature(at) / (2 * AROUND);
    return (curvature(position - 1) + curvature(position)) / 2 / (around + 1e-9);
  });
}
