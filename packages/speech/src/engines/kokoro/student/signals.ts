import { FFT_SIZE, FRAME_RATE, HOP, MIN_PITCH } from "./shape.ts";

/** Limits of the harmonics and of the pitch, in Hz. */
const HIGHEST_HARMONIC = 11_500;
const LOWEST_VOICE = 60;
const SOURCE_LEVEL = 0.1;
/** Long enough for two analysis windows and a frame; a power of two, so that the index is a bit mask of the sample number. */
const RING = 2 * FFT_SIZE;

/** One of the two raw signals that the network filters into speech: the harmonics of the voice, made on demand. */
export interface Source {
  /** A ring buffer: sample n is at `n & mask`. */
  readonly samples: Float64Array;
  readonly mask: number;
  /** The end of the last voiced frame that was made: there is nothing but zeros after it. */
  readonly voicedUntil: number;
  /** Makes the samples before `end`, and those of the rest of its frame. */
  advance(end: number): void;
}

/** Starts with the frame of sample `begin`. */
export function createSource(pitch: Float32Array, begin: number): Source {
  const samples = new Float64Array(RING);
  const mask = RING - 1;
  let frame = Math.floor(begin / HOP);
  let voicedUntil = Number.NEGATIVE_INFINITY;
  /** The phase, in cycles, at the middle of frame `phaseFrame`. */
  let cycles = (pitch[0] ?? 0) / FRAME_RATE;
  let phaseFrame = 0;

  function makeFrame(): void {
    const hertz = frame < 0 ? 0 : (pitch[frame] ?? 0);
    for (; phaseFrame < frame && phaseFrame < pitch.length; ) cycles += (pitch[++phaseFrame] ?? 0) / FRAME_RATE;
    const from = frame * HOP;
    if (!(hertz > MIN_PITCH)) {
      for (let n = from; n < from + HOP; n++) samples[n & mask] = 0;
      return;
    }
    const harmonics = Math.floor(HIGHEST_HARMONIC / Math.max(hertz, LOWEST_VOICE));
    const before = hertz / FRAME_RATE / HOP;
    const after = (pitch[frame + 1] ?? 0) / FRAME_RATE / HOP;
    makeHalf(from, cycles - (HOP / 2 - 0.5) * before, before, harmonics);
    makeHalf(from + HOP / 2, cycles + 0.5 * after, after, harmonics);
    voicedUntil = from + HOP;
  }

  /**
   * Half a frame, in which the pitch is constant: cos x + cos 2x + … + cos Kx in closed form. The phases advance by turning
   * two vectors, which takes a tenth of the time of two sines for each sample.
   */
  function makeHalf(from: number, cycle: number, step: number, harmonics: number): void {
    const odd = 2 * harmonics + 1;
    const half = Math.PI * (cycle - Math.floor(cycle));
    let below = Math.sin(half);
    let belowCos = Math.cos(half);
    let above = Math.sin(odd * half);
    let aboveCos = Math.cos(odd * half);
    const belowTurn = Math.sin(Math.PI * step);
    const belowTurnCos = Math.cos(Math.PI * step);
    const aboveTurn = Math.sin(odd * Math.PI * step);
    const aboveTurnCos = Math.cos(odd * Math.PI * step);
    for (let n = from; n < from + HOP / 2; n++) {
      const sum = Math.abs(below) < 1e-4 ? harmonics : (above / below - 1) / 2;
      samples[n & mask] = SOURCE_LEVEL * sum;
      const nextBelow = below * belowTurnCos + belowCos * belowTurn;
      belowCos = belowCos * belowTurnCos - below * belowTurn;
      below = nextBelow;
      const nextAbove = above * aboveTurnCos + aboveCos * aboveTurn;
      aboveCos = aboveCos * aboveTurnCos - above * aboveTurn;
      above = nextAbove;
    }
  }

  return {
    samples,
    mask,
    get voicedUntil() {
      return voicedUntil;
    },
    advance(end) {
      for (; frame * HOP < end; frame++) makeFrame();
    },
  };
}
