import { SpeechError } from "../../speech.ts";

/** A number of places, taken in the order of asking. */
export interface Slots {
  /** Waits for a place; gives what leaves it again. Throws `overloaded` when too many wait, the signal's reason when it aborts. */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** A decode takes a few seconds at most. */
const RETRY_SECONDS = 2;

export function createSlots(places: number, maxWaiting: number): Slots {
  const waiting = new Set<() => void>();
  let free = places;

  /** A place goes straight to who has waited longest, so that nobody slips in between. */
  function leaver(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = waiting;
      if (next) next();
      else free++;
    };
  }

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free--;
        return leaver();
      }
      if (waiting.size >= maxWaiting) {
        throw new SpeechError("overloaded", "too many recordings wait to be decoded", RETRY_SECONDS);
      }
      return new Promise((resolve, reject) => {
        const admit = () => {
          waiting.delete(admit);
          signal.removeEventListener("abort", giveUp);
          resolve(leaver());
        };
        const giveUp = () => {
          waiting.delete(admit);
          reject(signal.reason);
        };
        waiting.add(admit);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
