import { chunkSamples, type VoiceDetector } from "../../engines/silero/silero.ts";
import { findRegions, type Region } from "../../recognition/speech-regions.ts";

export const HEARING_RATE = 16_000;

/** Before a word there is breath, after it an echo: they belong to the voice. */
const MARGIN_SECONDS = 0.1;

/** Where somebody speaks in a recording. */
export async function findSpeech(
  samples: Float32Array,
  detector: VoiceDetector,
  signal: AbortSignal,
): Promise<readonly Region[]> {
  const probabilities = await detector.probabilities(samples, 0, signal);
  const levels = Float32Array.from(probabilities, (_, chunk) =>
    level(samples.subarray(chunk * chunkSamples, (chunk + 1) * chunkSamples)),
  );
  return findRegions({ chunkSeconds: chunkSamples / HEARING_RATE, probabilities, levels });
}

/** Only what is spoken, at most so many seconds of it. */
export function cutSpeech(samples: Float32Array, regions: readonly Region[], mostSeconds: number): Float32Array {
  const kept = new Float32Array(Math.min(samples.length, Math.round(mostSeconds * HEARING_RATE)));
  let length = 0;
  let end = 0;
  for (const { from, to } of regions) {
    const first = Math.max(end, Math.round((from - MARGIN_SECONDS) * HEARING_RATE), 0);
    end = Math.min(samples.length, Math.round((to + MARGIN_SECONDS) * HEARING_RATE));
    const piece = samples.subarray(first, Math.min(end, first + kept.length - length));
    kept.set(piece, length);
    length += piece.length;
  }
  return kept.subarray(0, length);
}

export function secondsOf(regions: readonly Region[]): number {
  return regions.reduce((sum, { from, to }) => sum + to - from, 0);
}

const FULL_SCALE = 0.999;
/** A peak may touch full scale; a wave that stays there was cut off. */
const CUT_OFF_SAMPLES = 3;

/** Which share of the samples stands at full scale for longer than a peak does. */
export function clippedShare(samples: Float32Array): number {
  let clipped = 0;
  let run = 0;
  for (let i = 0; i <= samples.length; i++) {
    if (Math.abs(samples[i] ?? 0) >= FULL_SCALE) run++;
    else {
      if (run >= CUT_OFF_SAMPLES) clipped += run;
      run = 0;
    }
  }
  return clipped / Math.max(1, samples.length);
}

function level(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}
