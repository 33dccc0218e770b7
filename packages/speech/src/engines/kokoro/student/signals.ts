import { FFT_SIZE, FRAME_RATE, HOP, MIN_PITCH } from "./shape.ts";

/** Limits of the harmonics and of the pitch, in Hz. */
const HIGHEST_HARMONIC = 11_500;
const LOWEST_VOICE = 60;
const SOURCE_LEVEL = 0.1;
/** Long enough for one analysis window; a power of two, so that the index is a bit mask of the sample number. */
const RING = 2 * FFT_SIZE;

/** The two raw signals that the network filters into speech, the harmonics of the voice and noise, made on demand. */
export interface Signals {
  /** Ring buffers: sample n is at `n & mask`, for the last 2048 samples that were made. */
  readonly source: Float64Array;
  readonly noise: Float64Array;
  readonly mask: number;
  /** Makes the samples before `end`. */
  advance(end: number): void;
}

/** Starts at sample `begin`. `noiseOffset` selects the noise; everything else follows from the pitch. */
export function createSignals(pitch: Float32Array, noiseOffset: number, begin: number): Signals {
  const source = new Float64Array(RING);
  const noise = new Float64Array(RING);
  const mask = RING - 1;
  let made = begin;
  /** The phase, in cycles, at the middle of frame `phaseFrame`. */
  let cycles = (pitch[0] ?? 0) / FRAME_RATE;
  let phaseFrame = 0;

  /** Fills samples that are all in one frame. */
  function fillSource(frame: number, from: number, to: number): void {
    const hertz = frame < 0 ? 0 : (pitch[frame] ?? 0);
    for (; phaseFrame < frame && phaseFrame < pitch.length; ) cycles += (pitch[++phaseFrame] ?? 0) / FRAME_RATE;
    if (!(hertz > MIN_PITCH)) {
      for (let n = from; n < to; n++) source[n & mask] = 0;
      return;
    }
    const harmonics = Math.floor(HIGHEST_HARMONIC / Math.max(hertz, LOWEST_VOICE));
    const middle = frame * HOP + HOP / 2 - 0.5;
    const before = hertz / FRAME_RATE / HOP;
    const after = (pitch[frame + 1] ?? 0) / FRAME_RATE / HOP;
    for (let n = from; n < to; n++) {
      const offset = n - middle;
      const cycle = cycles + offset * (offset < 0 ? before : after);
      const half = Math.PI * (cycle - Math.floor(cycle));
      const below = Math.sin(half);
      // cos x + cos 2x + … + cos Kx in closed form.
      const sum = Math.abs(below) < 1e-4 ? harmonics : (Math.sin((2 * harmonics + 1) * half) / below - 1) / 2;
      source[n & mask] = SOURCE_LEVEL * sum;
    }
  }

  return {
    source,
    noise,
    mask,
    advance(end) {
      for (let n = made; n < end; n++) noise[n & mask] = noiseAt(n + noiseOffset);
      while (made < end) {
        const frame = Math.floor(made / HOP);
        const to = Math.min(end, (frame + 1) * HOP);
        fillSource(frame, made, to);
        made = to;
      }
    },
  };
}

const LOUDNESS = Math.sqrt(3);

/** Sample n of the noise: a hash of n, so that windows are independent. Uniform, variance 1. */
export function noiseAt(n: number): number {
  let x = n >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  x = (x ^ (x >>> 16)) >>> 0;
  return (x / 2 ** 31 - 1) * LOUDNESS;
}
