/** The result of a promise; undefined when it took longer than the timeout or the signal aborted first. */
export async function withTimeout<T>(
  milliseconds: number,
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let stop = () => {};
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  const timer = setTimeout(stop, milliseconds);
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
