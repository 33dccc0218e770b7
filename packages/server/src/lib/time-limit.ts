/** Whether the work is done within the time. Rejects when the work fails before that. The work itself continues. */
export async function doneWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of the work. Throws when it takes longer than the time limit. */
export async function withTimeout<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  if (await doneWithin(work, milliseconds)) return work;
  throw new Error(`no answer within ${milliseconds} ms`);
}

/** The result of the work. Throws the signal's reason as soon as it aborts, even if the work ignores the signal. */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    const forget = (): void => signal.removeEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(forget);
  });
}
