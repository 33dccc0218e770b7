import { createModelStore } from "../catalog/manifest.ts";
import { defaultModelsDirectory, type ModelStore } from "../models/index.ts";

/** The real models, from the cache that the service itself uses; what is missing there is fetched once. */
export async function testModels(...ids: string[]): Promise<ModelStore> {
  const store = createModelStore({ directory: defaultModelsDirectory(process.env) });
  await store.pull(ids);
  return store;
}
