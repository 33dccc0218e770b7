import {
  createModelStore,
  createProgressReporter,
  defaultModelsDirectory,
  type EngineName,
  engineDescriptor,
  type ModelStore,
  type SynthesisQuality,
} from "@parlance/speech";
import { UsageError } from "./errors.ts";

export function openModelStore(environment: NodeJS.ProcessEnv): ModelStore {
  return createModelStore({ directory: defaultModelsDirectory(environment), environment });
}

/** The model that an engine needs. */
export function modelOf(engine: EngineName): string {
  return engineDescriptor(engine).requiredModel;
}

/** A setting of the server that also applies without one. */
export function kokoroQualityOf({ PARLANCE_KOKORO_QUALITY: given }: NodeJS.ProcessEnv): SynthesisQuality {
  if (given === undefined || given === "" || given === "fast") return "fast";
  if (given === "full") return "full";
  throw new UsageError(`PARLANCE_KOKORO_QUALITY: "${given}" is not allowed, it must be one of fast, full`);
}

/** Downloads missing models, with a progress bar in a terminal. */
export async function pullWithProgress(
  store: ModelStore,
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const progress = createProgressReporter(process.stderr, environment);
  try {
    await store.pull(names, { signal, onProgress: progress.onProgress });
  } finally {
    progress.close();
  }
}
