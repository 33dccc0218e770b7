import type { HeardSpeaker } from "./analyzed-speaker.ts";
import type { LinearMap } from "./linear-map.ts";

/** What a voice sounds like, and how well it fits. */
export type HeardVoice = HeardSpeaker & { readonly fit: number };

export interface TriedVoice {
  readonly vector: Float32Array;
  readonly heard: HeardVoice;
}

const ROUNDS = 7;
/** How much of what is missing is asked for anew. */
const RATE = 0.7;
/** Further from the mean of all speakers nobody knows what the engine does. */
const MOST_DISTANCE = 12;
/** After so many rounds that were no better, no more are tried. */
const PATIENCE = 3;

/**
 * A voice does not sound quite as it should. What is missing is asked for in addition, and so on: with a map that is about
 * right, a few rounds go most of the way. The best of all that was tried is the answer, if only the start.
 */
export async function steer(
  map: LinearMap,
  wanted: HeardSpeaker,
  start: TriedVoice,
  tryVoice: (vector: Float32Array) => Promise<HeardVoice>,
  signal: AbortSignal,
): Promise<TriedVoice> {
  const goal = map.describe(wanted);
  let missing = goal.map(() => 0);
  let last = start;
  let best = start;
  let worse = 0;
  for (let round = 0; round < ROUNDS && worse < PATIENCE; round++) {
    signal.throwIfAborted();
    const { vector: heard, pitch } = last.heard;
    const reached = map.describe({ vector: heard, pitch: wanted.pitch === undefined ? undefined : pitch });
    missing = missing.map((value, i) => value + RATE * ((goal[i] ?? 0) - (reached[i] ?? 0)));
    const vector = map.moved(start.vector, missing);
    if (map.distance(vector) > MOST_DISTANCE) break;
    last = { vector, heard: await tryVoice(vector) };
    if (last.heard.fit > best.heard.fit) {
      best = last;
      worse = 0;
    } else worse++;
  }
  return best;
}
