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

/**
 * The features of one speaker from several recordings: means that are weighted by the seconds of speech, that of the pitch in
 * octaves. Readers speak some recordings a quarter of an octave higher than others, so a short one must not decide.
 */
export function meanFeatures(recordings: readonly WeightedFeatures[]): SpeakerFeatures {
  const sum = new Float32Array(recordings[0]?.vector.length ?? 0);
  for (const { vector, weight } of recordings)
    vector.forEach((value, i) => {
      sum[i] = (sum[i] ?? 0) + weight * value;
    });
  const octaves = meanOfKnown(recordings, ({ pitch }) => (pitch === undefined ? undefined : Math.log2(pitch)));
  return {
    vector: unit(sum),
    pitch: octaves === undefined ? undefined : 2 ** octaves,
    pitchRange: meanOfKnown(recordings, ({ pitchRange }) => pitchRange),
  };
}

/** The weighted mean over the recordings in which a feature was measured. */
function meanOfKnown(
  recordings: readonly WeightedFeatures[],
  featureOf: (recording: WeightedFeatures) => number | undefined,
): number | undefined {
  const known = recordings.flatMap((recording) => {
    const value = featureOf(recording);
    return value === undefined ? [] : [{ value, weight: recording.weight }];
  });
  const seconds = known.reduce((total, { weight }) => total + weight, 0);
  if (seconds <= 0) return undefined;
  return known.reduce((mean, { value, weight }) => mean + value * (weight / seconds), 0);
}
