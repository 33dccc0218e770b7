/** Runs tasks with the same key one after the other, in order of arrival, and those with different keys at the same time. */
export interface TurnsByKey {
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
}

export function createTurnsByKey(): TurnsByKey {
  /** The end of the last task of each key. */
  const last = new Map<string, Promise<void>>();
  return {
    async run(key, task) {
      const before = last.get(key);
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      last.set(key, ended);
      await before;
      try {
        return await task();
      } finally {
        end();
        if (last.get(key) === ended) last.delete(key);
      }
    },
  };
}
