import { batchesOf } from "../../lib/batches.ts";
import type { Records } from "../../stores/store.ts";

/** Aborts the running requests of accounts that are disabled, by whichever process that was done. */
export interface DisabledAccountWatcher {
  /** Calls `abort` when the account is disabled. The result ends the watch. */
  watch(userId: string, abort: () => void): () => void;
  /** Aborts all that the account has running on this node. */
  abort(userId: string): void;
  close(): void;
}

export interface DisabledAccountWatcherOptions {
  readonly onFault?: (error: unknown) => void;
  readonly pollMs?: number;
}

/**
 * Other nodes, and the command line beside a running server, disable accounts too. Polling works with both databases,
 * and takes one small query for all accounts with running requests.
 */
const POLL_MS = 2000;
const BATCH = 500;

export function createDisabledAccountWatcher(
  users: Pick<Records["users"], "disabledOf">,
  { onFault = () => {}, pollMs = POLL_MS }: DisabledAccountWatcherOptions = {},
): DisabledAccountWatcher {
  const watched = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const abort = (userId: string): void => {
    for (const each of [...(watched.get(userId) ?? [])]) each();
  };
  const poll = async (): Promise<void> => {
    for (const ids of batchesOf([...watched.keys()], BATCH)) {
      if (closed) return;
      for (const id of await users.disabledOf(ids)) abort(id);
    }
  };
  const schedule = (): void => {
    if (timer !== undefined || closed || watched.size === 0) return;
    timer = setTimeout(() => {
      poll()
        .catch((error: unknown) => {
          if (!closed) onFault(error);
        })
        .finally(() => {
          timer = undefined;
          schedule();
        });
    }, pollMs);
    timer.unref();
  };

  return {
    watch(userId, abortOne) {
      const callbacks = watched.get(userId) ?? new Set();
      callbacks.add(abortOne);
      watched.set(userId, callbacks);
      schedule();
      return () => {
        callbacks.delete(abortOne);
        if (callbacks.size === 0 && watched.get(userId) === callbacks) watched.delete(userId);
      };
    },
    abort,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
