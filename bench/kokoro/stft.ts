import { createFft, type Fft } from "../../packages/speech/src/audio/fft.ts";

export const RATE = 24_000;

const transforms = new Map<number, Fft>();

export function fftOf(size: number): Fft {
  const known = transforms.get(size);
  if (known) return known;
  const made = createFft(size);
  transforms.set(size, made);
  return made;
}

/** The power in each bin of each frame; the frames are centred on multiples of the step, as librosa and torch do it. */
export function powers(samples: Float32Array, size: number, step: number): Float32Array[] {
  const fft = fftOf(size);
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  const last = samples.length - 1;
  const frames: Float32Array[] = [];
  for (let centre = 0; centre <= samples.length; centre += step) {
    for (let i = 0; i < size; i++) {
      const at = Math.abs(centre - size / 2 + i);
      // Beyond its ends the sound is mirrored.
      const value = samples[at > last ? 2 * last - at : at] ?? 0;
      re[i] = value * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
    }
    im.fill(0);
    fft(re, im);
    frames.push(Float32Array.from({ length: size / 2 + 1 }, (_, k) => (re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2));
  }
  return frames;
}

interface Band {
  readonly first: number;
  readonly weights: Float64Array;
}

/** Triangles even on the mel scale (HTK) from 0 to 12 kHz. */
export function melBank(size: number, bands: number): readonly Band[] {
  const mel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
  const hertz = (value: number) => 700 * (10 ** (value / 2595) - 1);
  const edge = (index: number) => hertz((mel(RATE / 2) * index) / (bands + 1));
  return Array.from({ length: bands }, (_, band) => {
    const [low, middle, high] = [edge(band), edge(band + 1), edge(band + 2)];
    const first = Math.ceil((low / RATE) * size);
    const count = Math.max(0, Math.floor((high / RATE) * size) - first + 1);
    const weights = Float64Array.from({ length: count }, (_, i) => {
      const at = ((first + i) * RATE) / size;
      return Math.max(0, Math.min((at - low) / (middle - low), (high - at) / (high - middle)));
    });
    return { first, weights };
  });
}

export function bandSums(bins: Float32Array, bank: readonly Band[]): Float64Array {
  return Float64Array.from(bank, ({ first, weights }) =>
    weights.reduce((sum, weight, i) => sum + weight * (bins[first + i] ?? 0), 0),
  );
}
