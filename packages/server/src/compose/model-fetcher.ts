import type { ModelStore } from "@parlance/speech";
import { type LogFor, logEvent } from "../telemetry/log-events.ts";

export interface ModelFetcherParts {
  readonly models: Pick<ModelStore, "has" | "pull">;
  /** Called after each model that was fetched. */
  readonly onFetched: () => Promise<void>;
  readonly log: LogFor<"model.fetch-started" | "model.fetched" | "model.fetch-failed">;
}

/** Fetches models one after the other while the server runs. A failure is logged; the server works without the model. */
export interface ModelFetcher {
  /**
   * Models that are already queued are not queued again. A model that failed can be requested again. Resolves when each of
   * them was fetched or has failed.
   */
  request(models: readonly string[]): Promise<void>;
  /** Aborts the running download. */
  close(): Promise<void>;
}

export function createModelFetcher({ models, onFetched, log }: ModelFetcherParts): ModelFetcher {
  const queued = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const { signal } = closing;
  let last: Promise<void> = Promise.resolve();

  async function fetch(model: string): Promise<void> {
    try {
      if (signal.aborted || (await models.has(model))) return;
      logEvent(log, "model.fetch-started", { model });
      await models.pull([model], { signal });
      await onFetched();
      logEvent(log, "model.fetched", { model });
    } catch (error) {
      if (signal.aborted) return;
      logEvent(log, "model.fetch-failed", { model, reason: String(error) });
    } finally {
      queued.delete(model);
    }
  }

  return {
    async request(wanted) {
      for (const model of wanted) {
        if (queued.has(model)) continue;
        const fetched = last.then(() => fetch(model));
        queued.set(model, fetched);
        last = fetched;
      }
      await Promise.all(wanted.map((model) => queued.get(model)));
    },
    async close() {
      closing.abort();
      await last;
    },
  };
}
