/** Runs a bounded number of tasks at a time; the others wait in order of arrival. */
export interface Slots {
  /** Throws what `onFull` returns when too many wait already. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

export interface SlotsOptions {
  readonly slots: number;
  readonly maxWaiting: number;
  readonly onFull: () => Error;
}

export function createSlots({ slots, maxWaiting, onFull }: SlotsOptions): Slots {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(task) {
      if (running >= slots) {
        if (waiting.length >= maxWaiting) throw onFull();
        // A finished task hands its slot to the next in the queue, so that no newcomer overtakes.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running += 1;
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
