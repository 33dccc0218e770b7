/** Runs a bounded number of tasks at a time; the others wait in order of arrival. */
export interface Slots {
  /** Throws what `onFull` returns when too many wait already. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** The same for work that is not one function: resolves with the function that frees the slot. */
  enter(): Promise<() => void>;
}

export interface SlotsOptions {
  readonly slots: number;
  readonly maxWaiting: number;
  readonly onFull: () => Error;
}

export function createSlots({ slots, maxWaiting, onFull }: SlotsOptions): Slots {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<() => void> {
    if (running >= slots) {
      if (waiting.length >= maxWaiting) throw onFull();
      // A finished task hands its slot to the next in the queue, so that no new task overtakes.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    return () => {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    };
  }

  return {
    enter,
    async run(task) {
      const leave = await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}
