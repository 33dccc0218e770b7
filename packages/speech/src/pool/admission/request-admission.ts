import { SpeechError } from "../../errors.ts";

/** The weight of the newest duration in the average from which the retry time of a refused request comes. */
const NEWEST_WEIGHT = 0.2;

/** Limits the requests that run or wait. One more is refused at once, with the time after which to retry. */
export function createRequestAdmission(limit: number, what = "speech"): { enter(): () => void } {
  let inside = 0;
  let averageSeconds = 1;
  return {
    enter() {
      if (inside >= limit) {
        // On average, one of the running requests ends in this time.
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
        averageSeconds += NEWEST_WEIGHT * ((performance.now() - entered) / 1000 - averageSeconds);
      };
    },
  };
}
