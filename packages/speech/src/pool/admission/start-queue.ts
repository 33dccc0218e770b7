import { SpeechError } from "../../speech.ts";

/** Where those stand who were let in and have nothing to hear yet. */
export interface StartLine {
  /**
   * Waits for its turn, first come, first served, and no longer than `longestMs`. The result gives the place to the next;
   * call it once the stream has a lead.
   */
  enter(longestMs: number, signal: AbortSignal): Promise<() => void>;
  readonly waiting: number;
}

/**
 * A stream that has just begun has little to play. If too many begin in the same moment, each takes the worker from those
 * who began right before, and all of them stutter. So only some begin at a time, and the others wait a moment.
 */
export function createStartLine(places: number): StartLine {
  const waiting = new Set<() => void>();
  let taken = 0;

  function take(): () => void {
    taken++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      taken--;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    async enter(longestMs, signal) {
      signal.throwIfAborted();
      if (taken < places && waiting.size === 0) return take();
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(onTurn);
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
        };
        const onTurn = (): void => {
          leave();
          resolve(take());
        };
        const onAbort = (): void => {
          leave();
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          leave();
          reject(new SpeechError("overloaded", "too many streams begin at the same time", 1));
        }, longestMs);
        waiting.add(onTurn);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    get waiting() {
      return waiting.size;
    },
  };
}
