/** A semaphore: a number of slots, given out in the order of the requests. */
export interface Slots {
  /**
   * Waits for a slot and returns the function that releases it. Rejects with the signal's reason when it aborts, and with
   * the error of the options when the queue is full or `timeoutMs` has passed.
   */
  enter(signal: AbortSignal, timeoutMs?: number): Promise<() => void>;
  /** Callers that wait for a slot. */
  readonly waiting: number;
}

export interface SlotsOptions {
  /** A function where it changes. */
  readonly capacity: number | (() => number);
  /** Callers that may wait; by default there is no limit. */
  readonly maxWaiting?: number;
  /** The error of a caller that may not wait, or has waited too long. */
  readonly refusal: () => Error;
}

export function createSlots({ capacity, maxWaiting = Number.POSITIVE_INFINITY, refusal }: SlotsOptions): Slots {
  const waiting = new Set<() => void>();
  const limit = typeof capacity === "number" ? () => capacity : capacity;
  let used = 0;

  /** A released slot goes straight to the caller that has waited longest, so that no new caller can take it first. */
  function releaser(): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const [next] = waiting;
      if (next && used <= limit()) next();
      else used--;
    };
  }

  function wait(signal: AbortSignal, timeoutMs: number | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => leave(refusal()), timeoutMs);
      const stop = () => {
        waiting.delete(onSlot);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const leave = (error: unknown) => {
        stop();
        reject(error);
      };
      const onSlot = () => {
        stop();
        resolve(releaser());
      };
      const onAbort = () => leave(signal.reason);
      waiting.add(onSlot);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  return {
    async enter(signal, timeoutMs) {
      signal.throwIfAborted();
      if (used < limit()) {
        used++;
        return releaser();
      }
      if (waiting.size >= maxWaiting) throw refusal();
      return wait(signal, timeoutMs);
    },
    get waiting() {
      return waiting.size;
    },
  };
}
