import { MFCC_SIZE, slidingMeanGradient, withoutSlidingMean } from "./mfcc.ts";

/** Frames this much below the loudest, in log energy, are not speech. */
const SPEECH_RANGE = 9;

/** The frames that are loud enough to be speech, without the sliding mean, as columns. `kept`: which ones they are. */
export function speechFrames(features: Float32Array): { columns: Float32Array; kept: readonly number[] } {
  const kept = loudFrames(
    features,
    Array.from({ length: features.length / MFCC_SIZE }, (_, t) => t),
  );
  if (kept.length === 0) throw new RangeError("there is no speech in the audio");
  return { columns: columnsOf(withoutSlidingMean(features), kept), kept };
}

/** From the gradient by such columns to that by the features of all frames. Which frames are kept counts as constant. */
export function speechFramesGradient(
  byColumns: Float32Array,
  { kept, count }: { kept: readonly number[]; count: number },
): Float32Array {
  const byCentred = new Float32Array(count * MFCC_SIZE);
  kept.forEach((t, column) => {
    for (let n = 0; n < MFCC_SIZE; n++) byCentred[t * MFCC_SIZE + n] = byColumns[n * kept.length + column] ?? 0;
  });
  return slidingMeanGradient(byCentred);
}

/** Those of the frames that are not much quieter than the loudest of them. */
export function loudFrames(features: Float32Array, frames: readonly number[]): number[] {
  let loudest = Number.NEGATIVE_INFINITY;
  for (const t of frames) loudest = Math.max(loudest, features[t * MFCC_SIZE] ?? 0);
  return frames.filter((t) => (features[t * MFCC_SIZE] ?? 0) > loudest - SPEECH_RANGE);
}

export function columnsOf(features: Float32Array, frames: readonly number[]): Float32Array {
  const columns = new Float32Array(frames.length * MFCC_SIZE);
  frames.forEach((t, column) => {
    for (let n = 0; n < MFCC_SIZE; n++) columns[n * frames.length + column] = features[t * MFCC_SIZE + n] ?? 0;
  });
  return columns;
}
