import { rms } from "../../audio/rms.ts";
import { chunkSamples } from "../../engines/silero/chunks.ts";
import type { VoiceDetector } from "../../engines/silero/silero.ts";
import { findRegions, type Region } from "../../recognition/speech-regions.ts";

/** The sample rate of recordings during analysis. */
export const ANALYSIS_RATE = 16_000;

/** The breath before a word and the decay after it belong to the voice. */
const MARGIN_SECONDS = 0.1;

/** Finds the speech in a recording. */
export async function findSpeech(
  samples: Float32Array,
  detector: VoiceDetector,
  signal: AbortSignal,
): Promise<readonly Region[]> {
  const probabilities = await detector.probabilities(samples, 0, signal);
  const levels = Float32Array.from(probabilities, (_, chunk) =>
    rms(samples.subarray(chunk * chunkSamples, (chunk + 1) * chunkSamples)),
  );
  return findRegions({ chunkSeconds: chunkSamples / ANALYSIS_RATE, probabilities, levels });
}

/** The speech alone, at most `maxSeconds` of it. */
export function extractSpeech(samples: Float32Array, regions: readonly Region[], maxSeconds: number): Float32Array {
  const kept = new Float32Array(Math.min(samples.length, Math.round(maxSeconds * ANALYSIS_RATE)));
  let length = 0;
  let end = 0;
  for (const { from, to } of regions) {
    const first = Math.max(end, Math.round((from - MARGIN_SECONDS) * ANALYSIS_RATE), 0);
    end = Math.min(samples.length, Math.round((to + MARGIN_SECONDS) * ANALYSIS_RATE));
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
/** A peak may touch full scale; a wave that stays there this long is clipped. */
const CLIPPED_SAMPLES = 3;

/** The share of the samples that is clipped. */
export function clippedShare(samples: Float32Array): number {
  let clipped = 0;
  let run = 0;
  for (let i = 0; i <= samples.length; i++) {
    if (Math.abs(samples[i] ?? 0) >= FULL_SCALE) run++;
    else {
      if (run >= CLIPPED_SAMPLES) clipped += run;
      run = 0;
    }
  }
  return clipped / Math.max(1, samples.length);
}
