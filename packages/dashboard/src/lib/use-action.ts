import { useCallback, useEffect, useRef, useState } from "react";

export interface Action<Args extends readonly unknown[]> {
  readonly busy: boolean;
  readonly error: unknown;
  /** Resolves to true if it succeeded. A second call cancels the first one if it still runs. */
  run(...args: Args): Promise<boolean>;
  cancel(): void;
  clear(): void;
}

/** An asynchronous action that can fail and can be cancelled. Leaving the page cancels it. */
export function useAction<Args extends readonly unknown[]>(
  work: (signal: AbortSignal, ...args: Args) => Promise<unknown>,
): Action<Args> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => () => running.current?.abort(), []);
  const run = useCallback(async (...args: Args): Promise<boolean> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setError(undefined);
    try {
      await latest.current(controller.signal, ...args);
      return !controller.signal.aborted;
    } catch (fault) {
      if (!controller.signal.aborted) setError(fault);
      return false;
    } finally {
      if (running.current === controller) setBusy(false);
    }
  }, []);
  const cancel = useCallback(() => {
    running.current?.abort();
    setBusy(false);
  }, []);
  return { busy, error, run, cancel, clear: useCallback(() => setError(undefined), []) };
}
