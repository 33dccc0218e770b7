import {
  createModelStore,
  createProgressReporter,
  defaultModelsDirectory,
  type EngineName,
  type ModelStore,
} from "@parlance/speech";

export function openModelStore(environment: NodeJS.ProcessEnv): ModelStore {
  return createModelStore({ directory: defaultModelsDirectory(environment), environment });
}

/** The model that an engine cannot do without. */
export function modelOf(engine: EngineName): string {
  return engine === "piper" ? "piper-libritts" : "kokoro-q8";
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
