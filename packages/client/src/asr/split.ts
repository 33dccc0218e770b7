/** A part of a recording, small enough to be sent. */
export interface Part {
  readonly index: number;
  /** The number of its first sample in the recording. */
  readonly start: number;
  readonly samples: Int16Array;
}

export interface SplitRules {
  readonly sampleRate: number;
  /** The maximum length of a part in seconds, at least 10. */
  readonly maxSeconds: number;
}

/**
 * The minimum length of the last part: a server refuses very short recordings. It is not longer because the last cut also
 * needs two seconds or more to find a pause in.
 */
const MIN_SECONDS = 3;
/** The length of the pause that a cut is made in. */
const QUIET_SECONDS = 0.3;
const FRAME_SECONDS = 0.02;

/**
 * Cuts at the quietest position in the second half of a part of maximum length, which is a pause if there is one. The parts
 * together are the recording, to the sample, and the same recording is always cut at the same positions.
 */
export async function* splitAtSilences(
  pieces: AsyncIterable<Float32Array>,
  { sampleRate, maxSeconds }: SplitRules,
): AsyncGenerator<Part, void, undefined> {
  const max = Math.floor(maxSeconds * sampleRate);
  const min = MIN_SECONDS * sampleRate;
  let buffer = new Int16Array(max + min + sampleRate);
  let [filled, start, index] = [0, 0, 0];

  const cut = (at: number): Part => {
    const part = { index, start, samples: buffer.slice(0, at) };
    buffer.copyWithin(0, at, filled);
    [filled, start, index] = [filled - at, start + at, index + 1];
    return part;
  };
  for await (const piece of pieces) {
    if (filled + piece.length > buffer.length) {
      const larger = new Int16Array(filled + piece.length + sampleRate);
      larger.set(buffer.subarray(0, filled));
      buffer = larger;
    }
    for (let i = 0; i < piece.length; i += 1) buffer[filled + i] = toInt16(piece[i] ?? 0);
    filled += piece.length;
    while (filled >= max + min) yield cut(quietest(buffer, max / 2, max, sampleRate));
  }
  if (filled > max) yield cut(quietest(buffer, Math.min(max / 2, filled - min), filled - min, sampleRate));
  if (filled > 0) yield cut(filled);
}

function toInt16(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)));
}

/** The middle of the quietest span between two positions; the last one of several that are equal. */
function quietest(samples: Int16Array, from: number, to: number, sampleRate: number): number {
  const frame = Math.max(1, Math.round(FRAME_SECONDS * sampleRate));
  const frames = Math.floor((to - from) / frame);
  const width = Math.min(frames, Math.round(QUIET_SECONDS / FRAME_SECONDS));
  if (width < 1) return Math.floor(to);
  const begin = Math.floor(from);
  const energies = Array.from({ length: frames }, (_, number) => {
    let energy = 0;
    for (let i = begin + number * frame; i < begin + (number + 1) * frame; i += 1) energy += (samples[i] ?? 0) ** 2;
    return energy;
  });
  let energy = energies.slice(0, width).reduce((sum, value) => sum + value, 0);
  let [best, bestAt] = [energy, 0];
  for (let at = 1; at + width <= frames; at += 1) {
    energy += (energies[at + width - 1] ?? 0) - (energies[at - 1] ?? 0);
    if (energy <= best) [best, bestAt] = [energy, at];
  }
  return begin + Math.floor((bestAt + width / 2) * frame);
}
