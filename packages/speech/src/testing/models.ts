import { createModelStore } from "../catalog/manifest.ts";
import { defaultModelsDirectory, type ModelStore } from "../models/index.ts";

/** The real models, from the cache of the service; missing ones are fetched once. */
export async function testModels(...ids: string[]): Promise<ModelStore> {
  const store = createModelStore({ directory: defaultModelsDirectory(process.env) });
  await store.pull(ids);
  return store;
}
