import type { LinearMap } from "./linear-map.ts";
import type { SpeakerFeatures } from "./speaker-features.ts";

/** The measured features of a voice, and how well they fit the target. */
export type TrialResult = SpeakerFeatures & { readonly fit: number };

export interface TriedVoice {
  readonly vector: Float32Array;
  readonly result: TrialResult;
}

const MAX_STEPS = 7;
/** The share of the difference that is corrected in one step. */
const RATE = 0.7;
/** Further from the mean of all speakers the engine's output is unpredictable. */
const MAX_DISTANCE = 12;
/** After this many steps without improvement, steering stops. */
const MAX_FAILED_STEPS = 3;

/**
 * Corrects a voice in steps: the difference between the target's features and the measured ones is added through the linear
 * map, and the new voice is measured again. With a map that is roughly right, a few steps are enough. Returns the best voice
 * that was tried, which may be the start.
 */
export async function steer(
  map: LinearMap,
  target: SpeakerFeatures,
  start: TriedVoice,
  tryVoice: (vector: Float32Array) => Promise<TrialResult>,
  signal: AbortSignal,
): Promise<TriedVoice> {
  const goal = map.describe(target);
  let correction = goal.map(() => 0);
  let last = start;
  let best = start;
  let failedSteps = 0;
  for (let step = 0; step < MAX_STEPS && failedSteps < MAX_FAILED_STEPS; step++) {
    signal.throwIfAborted();
    const { vector: measured, pitch } = last.result;
    const reached = map.describe({ vector: measured, pitch: target.pitch === undefined ? undefined : pitch });
    correction = correction.map((value, i) => value + RATE * ((goal[i] ?? 0) - (reached[i] ?? 0)));
    const vector = map.moved(start.vector, correction);
    if (map.distance(vector) > MAX_DISTANCE) break;
    last = { vector, result: await tryVoice(vector) };
    if (last.result.fit > best.result.fit) {
      best = last;
      failedSteps = 0;
    } else failedSteps++;
  }
  return best;
}
