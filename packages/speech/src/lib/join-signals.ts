import { setMaxListeners } from "node:events";

export interface JoinedSignal {
  /** Aborts with the first of its sources. */
  readonly signal: AbortSignal;
  /** Call it when the work has ended. */
  release(): void;
}

/**
 * Instead of `AbortSignal.any`, which Node 20 keeps in memory for ever when a listener is left in it, and of which it leaves an
 * entry in a signal with the lifetime of the service. It also loses an `AbortSignal.timeout` that nothing else holds.
 */
export function joinSignals(...sources: readonly AbortSignal[]): JoinedSignal {
  const controller = new AbortController();
  const release = (): void => {
    for (const source of sources) source.removeEventListener("abort", onAbort);
  };
  const onAbort = (): void => {
    release();
    controller.abort(sources.find(({ aborted }) => aborted)?.reason);
  };
  if (sources.some(({ aborted }) => aborted)) onAbort();
  else for (const source of sources) source.addEventListener("abort", onAbort);
  return { signal: controller.signal, release };
}

/** Runs work that ends with the first of several signals. */
export async function withSignals<Result>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, release } = joinSignals(...sources);
  try {
    return await work(signal);
  } finally {
    release();
  }
}

/** Of a service, aborted at its end. Every job that runs listens to it, and their number is bounded elsewhere. */
export function createClosing(): AbortController {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  return closing;
}
