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

/** The amplitude of one frequency in the samples, with a window that suppresses others (below −120 dB). */
export function amplitudeAt(samples: Float32Array, sampleRate: number, hertz: number): number {
  let real = 0;
  let imaginary = 0;
  let total = 0;
  samples.forEach((sample, i) => {
    const x = (2 * Math.PI * i) / samples.length;
    const window =
      0.27105 -
      0.43329 * Math.cos(x) +
      0.21812 * Math.cos(2 * x) -
      0.06592 * Math.cos(3 * x) +
      0.01081 * Math.cos(4 * x) -
      0.00077 * Math.cos(5 * x) +
      0.00001 * Math.cos(6 * x);
    const angle = (2 * Math.PI * hertz * i) / sampleRate;
    real += window * sample * Math.cos(angle);
    imaginary += window * sample * Math.sin(angle);
    total += window;
  });
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
