import { type LogFor, logEvent } from "@parlance/server";
import type { ModelStore } from "@parlance/speech";

export interface BackgroundFetchParts {
  readonly store: Pick<ModelStore, "has" | "pull">;
  /** Told when there is something new. */
  readonly refresh: () => Promise<void>;
  readonly log: LogFor<"model.fetch-started" | "model.fetched" | "model.fetch-failed">;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Fetches models while the server already speaks, one after the other. Never fails: the server goes on without them. */
export interface BackgroundFetch {
  /** What is on its way already is not fetched twice; what failed is tried again. */
  want(models: readonly string[]): void;
  ended(): Promise<void>;
}

export function createBackgroundFetch({ store, refresh, log, signal }: BackgroundFetchParts): BackgroundFetch {
  const wanted = new Set<string>();
  let turn = Promise.resolve();

  async function fetch(model: string): Promise<void> {
    try {
      if (signal.aborted || (await store.has(model))) return;
      logEvent(log, "model.fetch-started", { model });
      await store.pull([model], { signal });
      await refresh();
      logEvent(log, "model.fetched", { model });
    } catch (error) {
      if (!signal.aborted) logEvent(log, "model.fetch-failed", { model, reason: String(error) });
    } finally {
      wanted.delete(model);
    }
  }

  return {
    want(models) {
      for (const model of models) {
        if (wanted.has(model)) continue;
        wanted.add(model);
        turn = turn.then(() => fetch(model));
      }
    },
    ended: () => turn,
  };
}
