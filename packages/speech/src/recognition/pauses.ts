import type { Region } from "./speech-regions.ts";

const FRAME_SECONDS = 0.01;
/** Shorter ones are the closures of consonants, which belong to their word. */
const MIN_PAUSE_SECONDS = 0.08;
/** Frames below this share of the range between the quietest and the loudest, in decibels, are silent. */
const SILENT_SHARE = 0.3;
const MIN_RANGE_DB = 12;

/** Finds the pauses in a span of speech by its level; times in seconds from the first sample. */
export function findPauses(samples: Float32Array, sampleRate: number): Region[] {
  const levels = levelsOf(samples, Math.round(sampleRate * FRAME_SECONDS));
  const sorted = [...levels].sort((a, b) => a - b);
  const quiet = sorted[Math.floor(sorted.length * 0.05)] ?? 0;
  const loud = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  // Without a difference in level, pauses cannot be found.
  if (loud - quiet < MIN_RANGE_DB) return [];
  const limit = quiet + (loud - quiet) * SILENT_SHARE;
  const pauses: Region[] = [];
  let from = -1;
  for (let frame = 0; frame <= levels.length; frame++) {
    const silent = (levels[frame] ?? Number.POSITIVE_INFINITY) < limit;
    if (silent && from < 0) from = frame;
    if (silent || from < 0) continue;
    if ((frame - from) * FRAME_SECONDS >= MIN_PAUSE_SECONDS - 1e-9) {
      pauses.push({ from: from * FRAME_SECONDS, to: frame * FRAME_SECONDS });
    }
    from = -1;
  }
  return pauses;
}

function levelsOf(samples: Float32Array, frame: number): number[] {
  const levels: number[] = [];
  for (let from = 0; from + frame <= samples.length; from += frame) {
    let energy = 0;
    for (let i = from; i < from + frame; i++) energy += (samples[i] ?? 0) ** 2;
    levels.push(10 * Math.log10(energy / frame + 1e-10));
  }
  return levels;
}
