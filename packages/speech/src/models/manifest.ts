import { kokoroFp32, kokoroQ8 } from "./catalog/kokoro.ts";
import { moonshineBase, moonshineTiny } from "./catalog/moonshine.ts";
import { piperLibritts } from "./catalog/piper.ts";
import { sileroVad } from "./catalog/silero.ts";
import { testSpeech } from "./catalog/test-speech.ts";
import { whisperBase, whisperSmall, whisperTiny } from "./catalog/whisper.ts";
import { xvector } from "./catalog/xvector.ts";
import { ModelStoreError } from "./errors.ts";
import type { Model } from "./model.ts";

/** Every model that Parlance knows, each file pinned by its sha256. */
export const manifest: readonly Model[] = [
  kokoroQ8,
  moonshineBase,
  whisperBase,
  sileroVad,
  piperLibritts,
  kokoroFp32,
  moonshineTiny,
  whisperTiny,
  whisperSmall,
  xvector,
  testSpeech,
];

/**
 * The models meant by a list of names: ids, names of sets, or "all". What they need comes before them, and each comes
 * once, in the manifest's order.
 */
export function selectModels(names: readonly string[], models: readonly Model[] = manifest): readonly Model[] {
  const wanted = new Set<string>();
  const add = (model: Model): void => {
    wanted.add(model.id);
    for (const id of model.needs ?? []) {
      const needed = models.find((other) => other.id === id);
      if (needed && !wanted.has(id)) add(needed);
    }
  };
  for (const name of names) {
    const meant = models.filter(({ id, sets }) => name === "all" || id === name || sets.some((set) => set === name));
    if (meant.length === 0) throw unknownModel(name, models);
    for (const model of meant) add(model);
  }
  return models.filter(({ id }) => wanted.has(id));
}

export function findModel(id: string, models: readonly Model[] = manifest): Model {
  const model = models.find((other) => other.id === id);
  if (!model) throw unknownModel(id, models);
  return model;
}

function unknownModel(name: string, models: readonly Model[]): ModelStoreError {
  const sets = [...new Set(models.flatMap((model) => model.sets))];
  const known = [...models.map((model) => model.id), ...sets, "all"].join(", ");
  return new ModelStoreError("unknown-model", `There is no model or set named "${name}". Known: ${known}`);
}
