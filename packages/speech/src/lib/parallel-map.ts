import { joinSignals } from "./join-signals.ts";

/**
 * Maps values with a limit on how many run at a time; the results keep the order of the values. The first failure stops the
 * rest: the signal of those that run aborts, and those that wait never start.
 */
export async function parallelMap<T, R>(
  values: readonly T[],
  concurrency: number,
  signal: AbortSignal,
  map: (value: T, signal: AbortSignal, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(values.length);
  const failed = new AbortController();
  const { signal: stop, release } = joinSignals(signal, failed.signal);
  const queue = values.entries();
  const workers = Array.from({ length: Math.min(concurrency, values.length) }, async () => {
    try {
      for (const [index, value] of queue) {
        stop.throwIfAborted();
        results[index] = await map(value, stop, index);
      }
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  const ends = await Promise.allSettled(workers);
  release();
  signal.throwIfAborted();
  if (failed.signal.aborted) throw failed.signal.reason;
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return results;
}
