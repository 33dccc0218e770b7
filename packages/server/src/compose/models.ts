import { type EngineName, engineNames, type ModelStore, selectModels } from "@parlance/speech";
import type { Config } from "../config/config.ts";

/** The text-to-speech engines of a server with these settings, the preferred one first. */
export function enginesOf({ kokoro }: Pick<Config, "kokoro">): readonly EngineName[] {
  return engineNames.filter((engine) => engine !== "kokoro" || kokoro !== "off");
}

/** Models to fetch while the server runs. */
export function backgroundModels(config: Config): readonly string[] {
  const engines = enginesOf(config);
  const unused = [...engineNames.filter((engine) => !engines.includes(engine)), "whisper"];
  const sets = ["default", ...(config.cloning === "on" ? ["clone"] : [])];
  const models = modelIds(...sets).filter((id) => !unused.some((engine) => id.startsWith(`${engine}-`)));
  return config.whisper === "off" ? models : [...models, `whisper-${config.whisper}`];
}

/** Models for voice cloning. Few servers clone voices: by default they are fetched with the first voice. */
export function cloningModels(): readonly string[] {
  return modelIds("clone");
}

/** Hides Whisper where it is turned off. Transcription never downloads by itself, because a request would wait for it. */
export function recognitionModels(models: ModelStore, { whisper }: Config): ModelStore {
  const isHidden = (id: string): boolean => whisper === "off" && id.startsWith("whisper-");
  return { ...models, has: async (id) => !isHidden(id) && models.has(id), pull: async () => {} };
}

function modelIds(...sets: readonly string[]): readonly string[] {
  return selectModels(sets).map(({ id }) => id);
}
