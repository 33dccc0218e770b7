/** A semaphore: a number of slots, given out to owners in turn, and to the callers of one owner in the order of their requests. */
export interface Slots {
  /**
   * Waits for a slot and returns the function that releases it. Rejects with the signal's reason when it aborts, and with
   * the error of the options when the queue is full or `timeoutMs` has passed.
   */
  enter(signal: AbortSignal, options?: EnterOptions): Promise<() => void>;
  /** Works in a slot, which is released in every case. */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal, options?: EnterOptions): Promise<Result>;
  /** Callers that wait for a slot. */
  readonly waiting: number;
}

export interface EnterOptions {
  /** Whose call it is. One owner never holds all slots, where there are several. Without it, the call is the only one of its owner. */
  readonly owner?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface SlotsOptions {
  /** A function where it changes. */
  readonly capacity: number | (() => number);
  /** Callers that may wait; by default there is no limit. */
  readonly maxWaiting?: number;
  /** The error of a caller that may not wait, or has waited too long. */
  readonly refusal: () => Error;
}

type Owner = string | symbol;

export function createSlots({ capacity, maxWaiting = Number.POSITIVE_INFINITY, refusal }: SlotsOptions): Slots {
  /** The owners with waiting callers, in the order of their turns. */
  const queues = new Map<Owner, Set<() => void>>();
  const held = new Map<Owner, number>();
  const limit = typeof capacity === "number" ? () => capacity : capacity;
  let used = 0;
  let waiting = 0;

  const heldBy = (owner: Owner): number => held.get(owner) ?? 0;
  const isFree = (owner: Owner): boolean => used < limit() && heldBy(owner) < Math.max(1, limit() - 1);

  function take(owner: Owner): () => void {
    used++;
    held.set(owner, heldBy(owner) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      used--;
      if (heldBy(owner) > 1) held.set(owner, heldBy(owner) - 1);
      else held.delete(owner);
      endTurn(owner);
      grant();
    };
  }

  function endTurn(owner: Owner): void {
    const queue = queues.get(owner);
    if (!queue) return;
    queues.delete(owner);
    queues.set(owner, queue);
  }

  /** Gives released slots straight to waiting callers, so that no new caller can take them first. */
  function grant(): void {
    for (let next = nextCaller(); next; next = nextCaller()) next();
  }

  /** The first caller of the owner that holds the fewest slots; of several, the one whose turn it is. */
  function nextCaller(): (() => void) | undefined {
    let found: { readonly queue: Set<() => void>; readonly holds: number } | undefined;
    for (const [owner, queue] of queues) {
      const holds = heldBy(owner);
      if (isFree(owner) && (found === undefined || holds < found.holds)) found = { queue, holds };
    }
    const [first] = found?.queue ?? [];
    return first;
  }

  function wait(signal: AbortSignal, owner: Owner, timeoutMs: number | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => leave(refusal()), timeoutMs);
      const stop = () => {
        dequeue(owner, onSlot);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const leave = (error: unknown) => {
        stop();
        reject(error);
      };
      const onSlot = () => {
        stop();
        resolve(take(owner));
      };
      const onAbort = () => leave(signal.reason);
      enqueue(owner, onSlot);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  function enqueue(owner: Owner, onSlot: () => void): void {
    const queue = queues.get(owner) ?? new Set();
    queues.set(owner, queue.add(onSlot));
    waiting++;
  }

  function dequeue(owner: Owner, onSlot: () => void): void {
    const queue = queues.get(owner);
    if (!queue?.delete(onSlot)) return;
    waiting--;
    if (queue.size === 0) queues.delete(owner);
  }

  const enter: Slots["enter"] = async (signal, { owner = Symbol("only caller"), timeoutMs } = {}) => {
    signal.throwIfAborted();
    if (isFree(owner)) return take(owner);
    if (waiting >= maxWaiting) throw refusal();
    return wait(signal, owner, timeoutMs);
  };

  return {
    enter,
    async run(work, signal, options) {
      const leave = await enter(signal, options);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    get waiting() {
      return waiting;
    },
  };
}
