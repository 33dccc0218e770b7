/**
 * Maps with a bounded number at a time; results in the order of the values. The first failure stops the rest: those that
 * run are told by the signal, those that wait never begin.
 */
export async function inParallel<T, R>(
  values: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  map: (value: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(values.length);
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const queue = values.entries();
  const lane = async () => {
    for (const [index, value] of queue) {
      stop.throwIfAborted();
      results[index] = await map(value, stop);
    }
  };
  const lanes = Array.from({ length: Math.min(atOnce, values.length) }, async () => {
    try {
      await lane();
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  const ends = await Promise.allSettled(lanes);
  signal.throwIfAborted();
  if (failed.signal.aborted) throw failed.signal.reason;
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return results;
}
