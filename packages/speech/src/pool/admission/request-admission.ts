import { SpeechError } from "../../speech.ts";

/** How much a new request's duration counts towards the average that a refused caller's waiting time comes from. */
const WEIGHT_OF_NEWEST = 0.2;

/** Bounds the requests that are being spoken or wait for it. A full house refuses at once, and says when to try again. */
export function createAdmission(limit: number, what = "speech"): { enter(): () => void } {
  let inside = 0;
  let averageSeconds = 1;
  return {
    enter() {
      if (inside >= limit) {
        // One place becomes free per average duration, divided by those who may leave meanwhile.
        const seconds = Math.max(1, Math.ceil(averageSeconds / limit));
        throw new SpeechError("overloaded", `all ${limit} places for ${what} are taken`, seconds);
      }
      inside++;
      const entered = performance.now();
      let left = false;
      return () => {
        if (left) return;
        left = true;
        inside--;
        averageSeconds += WEIGHT_OF_NEWEST * ((performance.now() - entered) / 1000 - averageSeconds);
      };
    },
  };
}
