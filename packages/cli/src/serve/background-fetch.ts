import type { Log } from "@parlance/server";
import type { ModelStore } from "@parlance/speech";

export interface BackgroundFetchParts {
  readonly store: Pick<ModelStore, "has" | "pull">;
  /** Told when there is something new. */
  readonly refresh: () => Promise<void>;
  readonly log: Pick<Log, "info" | "warn">;
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
      log.info({ model }, "fetching a model in the background");
      await store.pull([model], { signal });
      await refresh();
      log.info({ model }, "a model is ready");
    } catch (error) {
      if (!signal.aborted) log.warn({ model, reason: String(error) }, "a model could not be fetched");
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
