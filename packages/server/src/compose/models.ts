import {
  cloningEngine,
  type EngineName,
  engineDescriptor,
  engineNames,
  engineSwitch,
  type ModelStore,
  recognizerDescriptor,
  recognizerNames,
  selectModels,
} from "@parlance/speech";
import type { Config } from "../config/config.ts";

/** The recognizers that a setting turns off, or chooses the size of. */
const sizedRecognizers = recognizerNames
  .map(recognizerDescriptor)
  .filter(({ sizeMeaning }) => sizeMeaning !== undefined);
const sizedModels = idsOf(sizedRecognizers);

/** The text-to-speech engines of a server with these settings, the preferred one first. A setting may turn one off. */
export function enginesOf({ optionalEngine }: Pick<Config, "optionalEngine">): readonly EngineName[] {
  return engineNames.filter((engine) => engine !== engineSwitch.engine || optionalEngine !== "off");
}

/** Whether voices can be cloned on a server with these settings. */
export function canClone(config: Pick<Config, "cloning" | "optionalEngine">): boolean {
  return config.cloning !== "off" && enginesOf(config).includes(cloningEngine.name);
}

/** Models to fetch while the server runs. */
export function backgroundModels(config: Config): readonly string[] {
  const engines = enginesOf(config);
  const unused = idsOf(engineNames.filter((engine) => !engines.includes(engine)).map(engineDescriptor));
  const sets = ["default", "speakers", ...(config.cloning === "on" ? ["clone"] : [])];
  const models = modelIds(...sets).filter((id) => !unused.has(id) && !sizedModels.has(id));
  const { recognizerSize: size } = config;
  return size === "off" ? models : [...models, ...sizedRecognizers.map((recognizer) => recognizer.model(size))];
}

/** Models for voice cloning. */
export function cloningModels(): readonly string[] {
  return modelIds("clone");
}

/** Hides the recognizers that are turned off. Transcription never downloads by itself, because a request would wait for it. */
export function recognitionModels(models: ModelStore, { recognizerSize }: Config): ModelStore {
  const isHidden = (id: string): boolean => recognizerSize === "off" && sizedModels.has(id);
  return { ...models, has: async (id) => !isHidden(id) && models.has(id), pull: async () => {} };
}

function modelIds(...sets: readonly string[]): readonly string[] {
  return selectModels(sets).map(({ id }) => id);
}

function idsOf(owners: readonly { readonly models: readonly { readonly id: string }[] }[]): ReadonlySet<string> {
  return new Set(owners.flatMap(({ models }) => models.map(({ id }) => id)));
}
