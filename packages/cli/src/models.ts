import {
  createModelStore,
  createProgressReporter,
  defaultModelsDirectory,
  type EngineName,
  type EngineSetting,
  engineDescriptor,
  type ModelStore,
} from "@parlance/speech";
import { UsageError } from "./errors.ts";

export function openModelStore(environment: NodeJS.ProcessEnv): ModelStore {
  return createModelStore({ directory: defaultModelsDirectory(environment), environment });
}

/** The model that an engine needs. */
export function modelOf(engine: EngineName): string {
  return engineDescriptor(engine).requiredModel;
}

/** A setting of an engine, which also applies without a server. */
export function readEngineSetting<Value extends string>(
  { variable, values, default: byDefault }: EngineSetting<Value>,
  environment: NodeJS.ProcessEnv,
): Value {
  const given = environment[variable] ?? "";
  const value = given === "" ? byDefault : values.find((each) => each === given);
  if (value === undefined)
    throw new UsageError(`${variable}: "${given}" is not allowed, it must be one of ${values.join(", ")}`);
  return value;
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
