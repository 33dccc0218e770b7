import { useSyncExternalStore } from "react";

/** State that outlives a page: leaving the page and coming back loses nothing. */
export interface Store<State> {
  get(): State;
  set(change: Partial<State>): void;
  /** The state, in a component. */
  use(): State;
}

const resets = new Set<() => void>();

/** Resets every store. For another account in the same tab. */
export function resetStores(): void {
  for (const reset of resets) reset();
}

/** `onReset` releases what the state holds: players, running requests. */
export function createStore<State extends object>(
  initial: State,
  onReset: (state: State) => void = () => {},
): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => state;
  const replace = (next: State) => {
    state = next;
    for (const listener of listeners) listener();
  };
  resets.add(() => {
    onReset(state);
    replace(initial);
  });
  return {
    get,
    set: (change) => replace({ ...state, ...change }),
    use: () => useSyncExternalStore(subscribe, get),
  };
}
