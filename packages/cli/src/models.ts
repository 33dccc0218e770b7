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

/** The model that an engine cannot do without. */
export function modelOf(engine: EngineName): string {
  return engineDescriptor(engine).requiredModel;
}

/** The one setting of the server that also counts where there is no server. */
export function kokoroQualityOf({ PARLANCE_KOKORO_QUALITY: given }: NodeJS.ProcessEnv): SynthesisQuality {
  if (given === undefined || given === "" || given === "fast") return "fast";
  if (given === "full") return "full";
  throw new UsageError(`PARLANCE_KOKORO_QUALITY: "${given}" is not allowed, it must be one of fast, full`);
}

/** Fetches what is missing, with a progress bar where there is a terminal. */
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
