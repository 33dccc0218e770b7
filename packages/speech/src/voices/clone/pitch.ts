/** People's voices are between these; what is outside is a mistake of the measurement. */
const LOWEST_HZ = 60;
const HIGHEST_HZ = 400;
const FRAME_SECONDS = 0.04;
const HOP_SECONDS = 0.02;
/** How alike a frame is to itself one period later, for it to count as voiced. */
const VOICED = 0.6;
/** A period is taken for the true one although one of twice its length fits a little better. */
const SHORTER_IS_BETTER = 0.9;
const LEAST_FRAMES = 10;

/** The middle of all pitches of a speaker, in Hz. Undefined when there is too little voice to tell. */
export function medianPitch(samples: Float32Array, sampleRate: number): number | undefined {
  const size = Math.round(FRAME_SECONDS * sampleRate);
  const hop = Math.round(HOP_SECONDS * sampleRate);
  const longest = Math.ceil(sampleRate / LOWEST_HZ);
  const frames = Math.floor((samples.length - size - longest) / hop);
  const quiet = 0.1 * rootMeanSquare(samples, 0, samples.length);
  const pitches: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const from = frame * hop;
    if (rootMeanSquare(samples, from, from + size) < quiet) continue;
    const period = periodAt(samples, from, size, Math.floor(sampleRate / HIGHEST_HZ), longest);
    if (period !== undefined) pitches.push(sampleRate / period);
  }
  if (pitches.length < LEAST_FRAMES) return undefined;
  pitches.sort((a, b) => a - b);
  return pitches[Math.floor(pitches.length / 2)];
}

/** The shift at which the frame is most like itself, in samples. */
function periodAt(
  samples: Float32Array,
  from: number,
  size: number,
  shortest: number,
  longest: number,
): number | undefined {
  const likeness = new Float32Array(longest + 1);
  let best = 0;
  for (let shift = shortest; shift <= longest; shift++) {
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
    likeness[shift] = product / Math.sqrt(here * there + 1e-12);
    best = Math.max(best, likeness[shift] ?? 0);
  }
  if (best < VOICED) return undefined;
  for (let shift = shortest + 1; shift < longest; shift++) {
    const value = likeness[shift] ?? 0;
    const isPeak = value >= (likeness[shift - 1] ?? 0) && value >= (likeness[shift + 1] ?? 0);
    if (isPeak && value >= SHORTER_IS_BETTER * best) return shift;
  }
  return undefined;
}

function rootMeanSquare(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += (samples[i] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, to - from));
}
