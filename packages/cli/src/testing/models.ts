import { createModelStore, defaultModelsDirectory, type ModelStore } from "@parlance/speech";

/** The models that a command needs, from the cache that it uses itself; what is missing there is fetched. */
export async function installModels(...ids: readonly string[]): Promise<ModelStore> {
  const store = createModelStore({ directory: defaultModelsDirectory(process.env) });
  await store.pull([...ids]);
  return store;
}
