export { rms } from "../audio/rms.ts";
export { concatSamples } from "../lib/concat.ts";

/** A sine of the given frequency. */
export function tone(sampleRate: number, seconds: number, hertz: number, amplitude = 0.5): Float32Array {
  const samples = new Float32Array(Math.round(sampleRate * seconds));
  return samples.map((_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / sampleRate));
}

/** White noise, the same for the same seed. */
export function noise(length: number, amplitude: number, seed = 1): Float32Array {
  let state = seed;
  return new Float32Array(length).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return amplitude * (state / 2 ** 31 - 1);
  });
}

/** A speech-like signal: harmonics with a varying pitch, in syllables of 0.2 s. */
export function speechLike(sampleRate: number, seconds: number, amplitude = 0.4): Float32Array {
  const samples = new Float32Array(Math.round(sampleRate * seconds));
  let phase = 0;
  return samples.map((_, i) => {
    const time = i / sampleRate;
    phase += (2 * Math.PI * (140 + 40 * Math.sin(2 * time))) / sampleRate;
    let sum = 0;
    for (let harmonic = 1; harmonic <= 12; harmonic++) sum += Math.sin(harmonic * phase) / (harmonic + 1);
    return amplitude * 0.5 * sum * Math.sin(Math.PI * 5 * time) ** 2;
  });
}

/** Divides samples into pieces whose lengths are taken from `sizes` in rotation. */
export function pieces(samples: Float32Array, sizes: readonly number[]): Float32Array[] {
  const cut: Float32Array[] = [];
  for (let from = 0; from < samples.length; ) {
    const size = Math.max(1, sizes[cut.length % sizes.length] ?? samples.length);
    cut.push(samples.subarray(from, from + size));
    from += size;
  }
  return cut;
}

export function peak(samples: Float32Array): number {
  return samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
}

export function decibels(ratio: number): number {
  return 20 * Math.log10(ratio);
}

const WINDOW = [0.27105, -0.43329, 0.21812, -0.06592, 0.01081, -0.00077, 0.00001];
const windows = new Map<number, Float64Array>();

/** Suppresses other frequencies than the one that is measured, below −120 dB. */
function windowOf(length: number): Float64Array {
  const known = windows.get(length);
  if (known !== undefined) return known;
  const window = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const x = (2 * Math.PI * i) / length;
    window[i] = WINDOW.reduce((sum, weight, multiple) => sum + weight * Math.cos(multiple * x), 0);
  }
  windows.set(length, window);
  return window;
}

/** The amplitude of one frequency in the samples. */
export function amplitudeAt(samples: Float32Array, sampleRate: number, hertz: number): number {
  const window = windowOf(samples.length);
  // A unit vector that is turned by the same angle for each sample, which takes no sines.
  const step = (2 * Math.PI * hertz) / sampleRate;
  const [stepX, stepY] = [Math.cos(step), Math.sin(step)];
  let [x, y, real, imaginary, total] = [1, 0, 0, 0, 0];
  for (let i = 0; i < samples.length; i++) {
    const weight = window[i] ?? 0;
    const sample = weight * (samples[i] ?? 0);
    real += sample * x;
    imaginary += sample * y;
    total += weight;
    [x, y] = [x * stepX - y * stepY, x * stepY + y * stepX];
  }
  return (2 * Math.hypot(real, imaginary)) / total;
}

/** The correlation of two signals: 1 when one is a multiple of the other. */
export function correlation(a: Float32Array, b: Float32Array): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}
