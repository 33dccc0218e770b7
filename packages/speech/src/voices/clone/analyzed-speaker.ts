/** What somebody sounds like. */
export interface HeardSpeaker {
  /** An x-vector of length 1. */
  readonly vector: Float32Array;
  /** In Hz. */
  readonly pitch: number | undefined;
}

/** One speaker of several recordings; the longer ones count for more. */
export function meanSpeaker(heard: readonly (HeardSpeaker & { readonly weight: number })[]): HeardSpeaker {
  const sum = new Float64Array(heard[0]?.vector.length ?? 0);
  for (const { vector, weight } of heard)
    vector.forEach((value, i) => {
      sum[i] = (sum[i] ?? 0) + weight * value;
    });
  const length = Math.hypot(...sum);
  const pitches = heard.flatMap(({ pitch }) => pitch ?? []).sort((a, b) => a - b);
  return { vector: Float32Array.from(sum, (value) => value / length), pitch: pitches[Math.floor(pitches.length / 2)] };
}
