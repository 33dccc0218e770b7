import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { explainFileError, ModelStoreError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { discard } from "./install.ts";
import { checkFile, type FileProblem, type InstallState, installState } from "./installed.ts";
import { createLayout } from "./layout.ts";
import { withLock } from "./lock.ts";
import { downloadBytes, type Model, modelBytes } from "./model.ts";
import { pullModels } from "./pull.ts";
import type { PullEvent } from "./pull-event.ts";
import { findModel, selectModels } from "./select.ts";
import { defaultTimeouts, type StoreTimeouts } from "./timeouts.ts";

export interface ModelStoreOptions {
  /** See `defaultModelsDirectory`. Created when the first model is pulled. */
  readonly directory: string;
  /** The environment from which npm's settings are read (`npm_config_*`, HOME); `process.env` by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The models that the store knows. */
  readonly models: readonly Model[];
  readonly timeouts?: Partial<StoreTimeouts>;
}

export interface ModelStatus {
  readonly model: Model;
  readonly state: InstallState;
  /** On disk, once installed. */
  readonly bytes: number;
  readonly downloadBytes: number;
}

export interface PullOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: PullEvent) => void;
}

export interface ModelStore {
  readonly directory: string;
  list(): Promise<readonly ModelStatus[]>;
  /** Whether a model is installed. Fast: checks the sizes of its files only. */
  has(id: string): Promise<boolean>;
  /** The path of a file of a model. Throws for names that the manifest does not have. */
  path(id: string, file: string): string;
  /** Fetches models by id, set or "all". Models that are installed need no network access. */
  pull(names: readonly string[], options?: PullOptions): Promise<void>;
  /** Checks the hash of every file; without names, of all installed models. */
  verify(names?: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<readonly FileProblem[]>;
  /** True when the model was installed. */
  remove(id: string): Promise<boolean>;
}

export function createModelStore(options: ModelStoreOptions): ModelStore {
  const layout = createLayout(options.directory);
  const { models } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const never = new AbortController().signal;
  let client: Promise<HttpClient> | undefined;
  const http = () => {
    // The libraries of npm take a tenth of the start, and are needed for downloads only.
    client ??= import("./http-client.ts").then((http) => http.createHttpClient(options.environment ?? process.env));
    return client;
  };

  const withExplanation = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw explainFileError(error, layout.directory);
    }
  };

  const status = async (model: Model): Promise<ModelStatus> => ({
    model,
    state: await installState(layout, model),
    bytes: modelBytes(model),
    downloadBytes: downloadBytes(model),
  });

  const verify = async (names: readonly string[] | undefined, signal: AbortSignal): Promise<readonly FileProblem[]> => {
    const problems: FileProblem[] = [];
    for (const model of names ? selectModels(names, models) : models) {
      if (!names && (await installState(layout, model)) === "absent") continue;
      for (const file of model.files) {
        const problem = await checkFile(layout.model(model.id), model, file, signal);
        if (problem) problems.push(problem);
      }
    }
    return problems;
  };

  const remove = async (id: string): Promise<boolean> => {
    const model = findModel(id, models);
    if ((await installState(layout, model)) === "absent") return false;
    await mkdir(layout.locks, { recursive: true });
    await withLock(
      layout.modelLock(id),
      timeouts,
      never,
      () => {},
      () => discard(layout, id),
    );
    return true;
  };

  return {
    directory: layout.directory,
    list: () => Promise.all(models.map(status)),
    has: async (id) => (await installState(layout, findModel(id, models))) === "installed",
    path(id, file) {
      if (!findModel(id, models).files.some(({ name }) => name === file))
        throw new ModelStoreError("unknown-model", `The model ${id} has no file ${file}`);
      return join(layout.model(id), file);
    },
    async pull(names, { signal = never, onProgress = () => {} } = {}) {
      const chosen = selectModels(names, models);
      await withExplanation(pullModels(chosen, { layout, http, timeouts, signal, onProgress }));
    },
    verify: (names, { signal = never } = {}) => withExplanation(verify(names, signal)),
    remove: (id) => withExplanation(remove(id)),
  };
}
