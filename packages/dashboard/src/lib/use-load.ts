import { type DependencyList, useCallback, useEffect, useRef, useState } from "react";

export interface Loaded<Data> {
  /** What came last; stays while it is loaded again. */
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  reload(): void;
  /** Puts in what is known already, without asking the server. */
  put(change: (data: Data) => Data): void;
}

/** Loads something when the page opens, and again when what it depends on changes. Leaving the page cancels it. */
export function useLoad<Data>(load: (signal: AbortSignal) => Promise<Data>, on: DependencyList): Loaded<Data> {
  const [state, setState] = useState<{ data?: Data; error?: unknown; loading: boolean }>({ loading: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what it depends on.
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...(before.data === undefined ? {} : { data: before.data }), loading: true }));
    latest
      .current(controller.signal)
      .then((data) => {
        if (!controller.signal.aborted) setState({ data, loading: false });
      })
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        setState((before) => ({ ...(before.data === undefined ? {} : { data: before.data }), error, loading: false }));
      });
    return () => controller.abort();
  }, [...on, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const put = useCallback((change: (data: Data) => Data) => {
    setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) }));
  }, []);
  return { data: state.data, error: state.error, loading: state.loading, reload, put };
}
