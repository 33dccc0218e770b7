import { sumOf, unit } from "./xvector/vectors.ts";

/** How a speaker sounds, as measured. */
export interface SpeakerFeatures {
  /** The x-vector, of length 1. */
  readonly vector: Float32Array;
  /** By the speaker network; an earlier version did not measure it. */
  readonly networkVector?: NetworkVector | undefined;
  /** Median pitch in Hz. */
  readonly pitch: number | undefined;
  /** The range of the pitch between its quartiles, in octaves. */
  readonly pitchRange?: number | undefined;
}

/** The vector of a speaker network. Those of different networks have nothing in common. */
export interface NetworkVector {
  /** Of length 1. */
  readonly values: Float32Array;
  /** The version of the network. */
  readonly network: string;
}

/** The features of one recording, weighted by its seconds of speech. */
export type WeightedFeatures = SpeakerFeatures & { readonly weight: number };

/**
 * The features of one speaker from several recordings: means that are weighted by the seconds of speech, that of the pitch in
 * octaves. Readers speak some recordings a quarter of an octave higher than others, so a short one must not decide.
 */
export function meanFeatures(recordings: readonly WeightedFeatures[]): SpeakerFeatures {
  const octaves = meanOfKnown(recordings, ({ pitch }) => (pitch === undefined ? undefined : Math.log2(pitch)));
  return {
    vector: unit(sumOf(recordings.map(({ vector, weight }) => ({ values: vector, weight })))),
    networkVector: meanNetworkVector(recordings),
    pitch: octaves === undefined ? undefined : 2 ** octaves,
    pitchRange: meanOfKnown(recordings, ({ pitchRange }) => pitchRange),
  };
}

/** Over the recordings that have one of the same network: machines of several versions may have analyzed them. */
function meanNetworkVector(recordings: readonly WeightedFeatures[]): NetworkVector | undefined {
  const known = recordings.flatMap(({ networkVector, weight }) =>
    networkVector === undefined ? [] : [{ ...networkVector, weight }],
  );
  const network = known[0]?.network;
  if (network === undefined) return undefined;
  return { values: unit(sumOf(known.filter((each) => each.network === network))), network };
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
