import { ModelStoreError } from "./errors.ts";
import type { Model } from "./model.ts";

/**
 * The models for a list of names: ids, names of sets, or "all". Models that they need are included; each comes once, in the
 * order of `models`.
 */
export function selectModels(names: readonly string[], models: readonly Model[]): readonly Model[] {
  const selected = new Set<string>();
  const add = (model: Model): void => {
    selected.add(model.id);
    for (const id of model.needs ?? []) {
      const needed = models.find((other) => other.id === id);
      if (needed && !selected.has(id)) add(needed);
    }
  };
  for (const name of names) {
    const named = models.filter(({ id, sets }) => name === "all" || id === name || sets.some((set) => set === name));
    if (named.length === 0) throw unknownModel(name, models);
    for (const model of named) add(model);
  }
  return models.filter(({ id }) => selected.has(id));
}

export function findModel(id: string, models: readonly Model[]): Model {
  const model = models.find((other) => other.id === id);
  if (!model) throw unknownModel(id, models);
  return model;
}

function unknownModel(name: string, models: readonly Model[]): ModelStoreError {
  const sets = [...new Set(models.flatMap((model) => model.sets))];
  const known = [...models.map((model) => model.id), ...sets, "all"].join(", ");
  return new ModelStoreError("unknown-model", `There is no model or set named "${name}". Known: ${known}`);
}
