import { type DependencyList, useCallback, useEffect, useRef, useState } from "react";

export interface Loaded<Data> {
  /** The latest data. It stays while a reload runs. */
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  reload(): void;
  /** Changes the data locally, without a request. */
  put(change: (data: Data) => Data): void;
}

/** Loads data when the page opens, and again when a dependency changes. Leaving the page cancels it. */
export function useLoad<Data>(load: (signal: AbortSignal) => Promise<Data>, on: DependencyList): Loaded<Data> {
  const [state, setState] = useState<{ data?: Data; error?: unknown; loading: boolean }>({ loading: true });
  const [version, setVersion] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller passes the dependencies.
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
  }, [...on, version]);
  const reload = useCallback(() => setVersion((before) => before + 1), []);
  const put = useCallback((change: (data: Data) => Data) => {
    setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) }));
  }, []);
  return { data: state.data, error: state.error, loading: state.loading, reload, put };
}
