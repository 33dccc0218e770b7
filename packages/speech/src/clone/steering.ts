import type { HeardSpeaker } from "./heard-speaker.ts";
import type { LinearMap } from "./linear-map.ts";

export interface Steered {
  readonly vector: Float32Array;
  readonly fit: number;
}

/** What a voice sounds like, and how well it fits. */
export type TryVoice = (vector: Float32Array) => Promise<HeardSpeaker & { readonly fit: number }>;

const ROUNDS = 8;
/** How much of what is missing is asked for anew. */
const RATE = 0.7;
/** Further from the mean of all speakers nobody knows what the engine does. */
const MOST_DISTANCE = 12;
/** After so many rounds that were no better, no more are tried. */
const PATIENCE = 3;

/**
 * A voice that was asked for does not sound quite as it should. What is missing is asked for in addition, and so on: with a
 * map that is about right, a few rounds go most of the way.
 */
export async function steer(
  map: LinearMap,
  wanted: HeardSpeaker,
  tryVoice: TryVoice,
  signal: AbortSignal,
): Promise<Steered | undefined> {
  const goal = map.describe(wanted);
  let asked = goal;
  let best: Steered | undefined;
  let worse = 0;
  for (let round = 0; round < ROUNDS && worse < PATIENCE; round++) {
    signal.throwIfAborted();
    const vector = map.toVector(asked);
    if (best && map.distance(vector) > MOST_DISTANCE) break;
    const heard = await tryVoice(vector);
    if (best === undefined || heard.fit > best.fit) {
      best = { vector, fit: heard.fit };
      worse = 0;
    } else worse++;
    const reached = map.describe({ vector: heard.vector, pitch: wanted.pitch === undefined ? undefined : heard.pitch });
    asked = asked.map((value, i) => value + RATE * ((goal[i] ?? 0) - (reached[i] ?? 0)));
  }
  return best;
}
