import { engineDescriptors, recognizerDescriptors } from "../engines/registry.ts";
import { sileroVad } from "../engines/silero/models.ts";
import type { Model } from "../models/model.ts";
import * as select from "../models/select.ts";
import * as store from "../models/store.ts";
import { xvector } from "../voices/clone/xvector/models.ts";
import { testSpeech } from "./test-speech.ts";

/** Every model that Parlance knows, each file pinned by its sha256. */
export const manifest: readonly Model[] = [
  ...engineDescriptors.flatMap(({ models }) => models),
  ...recognizerDescriptors.flatMap(({ models }) => models),
  sileroVad,
  xvector,
  testSpeech,
];

export type ModelStoreOptions = Omit<store.ModelStoreOptions, "models"> & {
  /** The models that the store knows; all of Parlance's by default. */
  readonly models?: readonly Model[];
};

/**
 * Opens the folder that holds the model weights. Nothing is fetched before `pull` is called.
 *
 * @example
 * ```ts
 * import { createModelStore, defaultModelsDirectory } from "@parlance/speech";
 *
 * const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
 * await models.pull(["default"], {
 *   onProgress: ({ model, step, received, total }) => console.log(model, step, received, total),
 * });
 * console.log(await models.has("kokoro-q8"));
 * ```
 */
export function createModelStore(options: ModelStoreOptions): store.ModelStore {
  return store.createModelStore({ models: manifest, ...options });
}

/**
 * The models for a list of names: ids, names of sets ("default", "clone", "speakers", "test", an engine's name), or "all". Models that
 * they need are included; each comes once, in the order of the manifest.
 *
 * @example
 * ```ts
 * import { downloadBytes, selectModels } from "@parlance/speech";
 *
 * for (const model of selectModels(["default"])) console.log(model.id, downloadBytes(model));
 * ```
 */
export function selectModels(names: readonly string[], models: readonly Model[] = manifest): readonly Model[] {
  return select.selectModels(names, models);
}

/** The model with an id. Throws `ModelStoreError` with the code `unknown-model`. */
export function findModel(id: string, models: readonly Model[] = manifest): Model {
  return select.findModel(id, models);
}
