import { rms } from "../../audio/rms.ts";

/** The range of human voices; values outside are errors of the measurement. */
const LOWEST_HZ = 60;
const HIGHEST_HZ = 400;
const FRAME_SECONDS = 0.04;
const HOP_SECONDS = 0.02;
/** The minimum correlation of a voiced frame with itself one period later. */
const VOICED = 0.6;
/** The shortest period with this share of the best correlation is taken: its multiples may fit slightly better. */
const SHORT_PERIOD_BIAS = 0.9;
const MIN_FRAMES = 10;

export interface PitchMeasurement {
  /** The median in Hz. Undefined when there are too few voiced frames. */
  readonly pitch: number | undefined;
  /** Between the quartiles, in octaves: halves and doubles of the pitch, which are errors of the measurement, are beyond them. */
  readonly pitchRange: number | undefined;
}

export function measurePitch(samples: Float32Array, sampleRate: number): PitchMeasurement {
  const pitches = sortedPitches(samples, sampleRate);
  if (pitches.length < MIN_FRAMES) return { pitch: undefined, pitchRange: undefined };
  const at = (share: number): number => pitches[Math.floor(share * pitches.length)] ?? 1;
  return { pitch: at(0.5), pitchRange: Math.log2(at(0.75) / at(0.25)) };
}

/** The median pitch in Hz. Undefined when there are too few voiced frames. */
export function medianPitch(samples: Float32Array, sampleRate: number): number | undefined {
  return measurePitch(samples, sampleRate).pitch;
}

/** The pitch of each voiced frame in Hz, the lowest first. */
function sortedPitches(samples: Float32Array, sampleRate: number): readonly number[] {
  const size = Math.round(FRAME_SECONDS * sampleRate);
  const hop = Math.round(HOP_SECONDS * sampleRate);
  const maxPeriod = Math.ceil(sampleRate / LOWEST_HZ);
  const frames = Math.floor((samples.length - size - maxPeriod) / hop);
  const quiet = 0.1 * rms(samples);
  const pitches: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const from = frame * hop;
    if (rms(samples.subarray(from, from + size)) < quiet) continue;
    const period = periodAt(samples, from, size, Math.floor(sampleRate / HIGHEST_HZ), maxPeriod);
    if (period !== undefined) pitches.push(sampleRate / period);
  }
  return pitches.sort((a, b) => a - b);
}

/** The period of a frame in samples, by autocorrelation. */
function periodAt(
  samples: Float32Array,
  from: number,
  size: number,
  minPeriod: number,
  maxPeriod: number,
): number | undefined {
  const correlation = new Float32Array(maxPeriod + 1);
  let best = 0;
  for (let shift = minPeriod; shift <= maxPeriod; shift++) {
    let product = 0;
    let here = 0;
    let there = 0;
    for (let i = from; i < from + size; i++) {
      const a = samples[i] ?? 0;
      const b = samples[i + shift] ?? 0;
      product += a * b;
      here += a * a;
      there += b * b;
    }
    correlation[shift] = product / Math.sqrt(here * there + 1e-12);
    best = Math.max(best, correlation[shift] ?? 0);
  }
  if (best < VOICED) return undefined;
  for (let shift = minPeriod + 1; shift < maxPeriod; shift++) {
    const value = correlation[shift] ?? 0;
    const isPeak = value >= (correlation[shift - 1] ?? 0) && value >= (correlation[shift + 1] ?? 0);
    if (isPeak && value >= SHORT_PERIOD_BIAS * best) return shift;
  }
  return undefined;
}
