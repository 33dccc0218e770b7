import type { Records } from "../../stores/store.ts";

/** Who has something running here, so that it can be cut when the account is disabled, wherever that was done. */
export interface Presence {
  /** The result forgets it. */
  add(userId: string, cut: () => void): () => void;
  /** Cuts all that the user has running on this node. */
  cut(userId: string): void;
  close(): void;
}

export interface PresenceOptions {
  readonly onFault?: (error: unknown) => void;
  readonly pollMs?: number;
}

/**
 * Other nodes, and the command line beside a running server, disable accounts too. Asking the database is the one way
 * to hear of it that both databases have, and one small query for all who are here costs next to nothing.
 */
const POLL_MS = 2000;
const AT_A_TIME = 500;

export function createPresence(
  users: Pick<Records["users"], "disabledOf">,
  { onFault = () => {}, pollMs = POLL_MS }: PresenceOptions = {},
): Presence {
  const present = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const cut = (userId: string): void => {
    for (const each of [...(present.get(userId) ?? [])]) each();
  };
  const poll = async (): Promise<void> => {
    const ids = [...present.keys()];
    for (let i = 0; i < ids.length && !closed; i += AT_A_TIME) {
      for (const id of await users.disabledOf(ids.slice(i, i + AT_A_TIME))) cut(id);
    }
  };
  const schedule = (): void => {
    if (timer !== undefined || closed || present.size === 0) return;
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
    add(userId, cutIt) {
      const those = present.get(userId) ?? new Set();
      those.add(cutIt);
      present.set(userId, those);
      schedule();
      return () => {
        those.delete(cutIt);
        if (those.size === 0 && present.get(userId) === those) present.delete(userId);
      };
    },
    cut,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
