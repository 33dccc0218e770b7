import { SpeechError } from "../../errors.ts";

/** The weight of the newest duration in the average from which the retry time of a refused request comes. */
const NEWEST_WEIGHT = 0.2;

export interface RequestAdmission {
  /** Returns the function that frees the place. Throws `overloaded` when there is none. */
  enter(owner?: string): () => void;
}

/**
 * Limits the requests that run or wait. One more is refused at once, with the time after which to retry. An owner without any
 * request here has a place beyond the limit, up to as many again: one that has taken all places keeps nobody out.
 */
export function createRequestAdmission(limit: number, what = "speech"): RequestAdmission {
  const owners = new Map<string, number>();
  let inside = 0;
  let averageSeconds = 1;

  function add(owner: string | undefined, change: 1 | -1): void {
    inside += change;
    if (owner === undefined) return;
    const count = (owners.get(owner) ?? 0) + change;
    if (count > 0) owners.set(owner, count);
    else owners.delete(owner);
  }

  return {
    enter(owner) {
      const hasNone = owner !== undefined && !owners.has(owner);
      if (inside >= (hasNone ? 2 * limit : limit)) {
        // On average, one of the running requests ends in this time.
        const seconds = Math.max(1, Math.ceil(averageSeconds / limit));
        throw new SpeechError("overloaded", `all ${limit} places for ${what} are taken`, seconds);
      }
      add(owner, 1);
      const entered = performance.now();
      let left = false;
      return () => {
        if (left) return;
        left = true;
        add(owner, -1);
        averageSeconds += NEWEST_WEIGHT * ((performance.now() - entered) / 1000 - averageSeconds);
      };
    },
  };
}
