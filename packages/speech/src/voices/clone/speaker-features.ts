import { unit } from "./xvector/vectors.ts";

/** How a speaker sounds, as measured. */
export interface SpeakerFeatures {
  /** The x-vector, of length 1. */
  readonly vector: Float32Array;
  /** Median pitch in Hz. */
  readonly pitch: number | undefined;
  /** The range of the pitch between its quartiles, in octaves. */
  readonly pitchRange?: number | undefined;
}

/** The features of one recording, weighted by its seconds of speech. */
export type WeightedFeatures = SpeakerFeatures & { readonly weight: number };

/** The features of one speaker from several recordings: the weighted mean of the vectors and ranges, the median of the pitches. */
export function meanFeatures(recordings: readonly WeightedFeatures[]): SpeakerFeatures {
  const sum = new Float32Array(recordings[0]?.vector.length ?? 0);
  for (const { vector, weight } of recordings)
    vector.forEach((value, i) => {
      sum[i] = (sum[i] ?? 0) + weight * value;
    });
  const pitches = recordings.flatMap(({ pitch }) => pitch ?? []).sort((a, b) => a - b);
  return { vector: unit(sum), pitch: pitches[Math.floor(pitches.length / 2)], pitchRange: meanRange(recordings) };
}

function meanRange(recordings: readonly WeightedFeatures[]): number | undefined {
  const known = recordings.filter(({ pitchRange }) => pitchRange !== undefined);
  const seconds = known.reduce((sum, { weight }) => sum + weight, 0);
  if (seconds <= 0) return undefined;
  return known.reduce((sum, { pitchRange = 0, weight }) => sum + pitchRange * (weight / seconds), 0);
}
