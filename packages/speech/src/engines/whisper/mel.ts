import { createFourier } from "./fourier.ts";

/** The log mel spectrogram that Whisper was trained with: 80 bands, 100 columns a second. */
export const melBands = 80;
export const samplesPerColumn = 160;
const WINDOW = 400;
const SPECTRUM = WINDOW / 2 + 1;
const SAMPLE_RATE = 16_000;
/** The dynamic range below the loudest value, in powers of ten. */
const RANGE = 8;

// Slaney's mel scale.
const LINEAR_UNTIL = 1000;
const HERTZ_PER_MEL = 200 / 3;
const LOGARITHMIC_STEP = Math.log(6.4) / 27;

const window = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW));
const fourier = createFourier(WINDOW);
const filters = melFilters();

/** Band by band, `columns` numbers each: the samples, then silence. */
export function logMel(samples: Float32Array, columns: number): Float32Array {
  const mel = new Float32Array(melBands * columns).fill(-10);
  const real = new Float64Array(WINDOW);
  const imaginary = new Float64Array(WINDOW);
  const filledColumns = Math.min(columns, Math.ceil((samples.length + WINDOW / 2) / samplesPerColumn));
  // Two columns at once, one as the real part and one as the imaginary part.
  for (let column = 0; column < filledColumns; column += 2) {
    windowed(samples, column, real);
    windowed(samples, column + 1, imaginary);
    fourier.transform(real, imaginary);
    const [first, second] = powers(real, imaginary);
    for (const [offset, power] of [first, second].entries()) {
      if (column + offset >= columns) continue;
      filters.forEach((filter, band) => {
        let energy = 0;
        for (const [bin, weight] of filter) energy += (power[bin] ?? 0) * weight;
        mel[band * columns + column + offset] = Math.log10(Math.max(energy, 1e-10));
      });
    }
  }
  let loudest = Number.NEGATIVE_INFINITY;
  for (const value of mel) loudest = Math.max(loudest, value);
  return mel.map((value) => (Math.max(value, loudest - RANGE) + 4) / 4);
}

/** A column's samples. Before the first sample the signal is mirrored. */
function windowed(samples: Float32Array, column: number, into: Float64Array): void {
  const from = column * samplesPerColumn - WINDOW / 2;
  for (let i = 0; i < WINDOW; i++) into[i] = (samples[Math.abs(from + i)] ?? 0) * (window[i] ?? 0);
}

const firstPower = new Float64Array(SPECTRUM);
const secondPower = new Float64Array(SPECTRUM);

function powers(real: Float64Array, imaginary: Float64Array): readonly [Float64Array, Float64Array] {
  for (let bin = 0; bin < SPECTRUM; bin++) {
    const other = (WINDOW - bin) % WINDOW;
    const [r, i, s, j] = [real[bin] ?? 0, imaginary[bin] ?? 0, real[other] ?? 0, imaginary[other] ?? 0];
    firstPower[bin] = ((r + s) ** 2 + (i - j) ** 2) / 4;
    secondPower[bin] = ((i + j) ** 2 + (s - r) ** 2) / 4;
  }
  return [firstPower, secondPower];
}

/** The bins of each band and their weights, with equal area for all bands. */
function melFilters(): (readonly [bin: number, weight: number])[][] {
  const highest = toMel(SAMPLE_RATE / 2);
  const edges = Array.from({ length: melBands + 2 }, (_, i) => toHertz((highest * i) / (melBands + 1)));
  return Array.from({ length: melBands }, (_, band) => {
    const [low = 0, middle = 0, high = 0] = edges.slice(band, band + 3);
    const filter: (readonly [number, number])[] = [];
    for (let bin = 0; bin < SPECTRUM; bin++) {
      const hertz = (bin * SAMPLE_RATE) / WINDOW;
      const weight = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
      if (weight > 0) filter.push([bin, (weight * 2) / (high - low)]);
    }
    return filter;
  });
}

function toMel(hertz: number): number {
  if (hertz < LINEAR_UNTIL) return hertz / HERTZ_PER_MEL;
  return LINEAR_UNTIL / HERTZ_PER_MEL + Math.log(hertz / LINEAR_UNTIL) / LOGARITHMIC_STEP;
}

function toHertz(mel: number): number {
  const linear = LINEAR_UNTIL / HERTZ_PER_MEL;
  return mel < linear ? mel * HERTZ_PER_MEL : LINEAR_UNTIL * Math.exp(LOGARITHMIC_STEP * (mel - linear));
}
