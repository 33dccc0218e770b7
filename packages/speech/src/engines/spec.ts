import type { ModelStore } from "../models/store.ts";
import type { ModelFiles, SynthesisQuality } from "./descriptor.ts";
import { type EngineName, engineDescriptor } from "./registry.ts";

/** Which engine a worker process loads, and from which files. Plain data. */
export interface EngineSpec {
  readonly engine: EngineName;
  readonly threads: number;
  readonly quality: SynthesisQuality;
  readonly files: ModelFiles;
}

/** How to load an engine from the installed models; undefined while they are not installed. */
export async function engineSpec(
  engine: EngineName,
  models: ModelStore,
  threads: number,
  quality: SynthesisQuality = "fast",
): Promise<EngineSpec | undefined> {
  const descriptor = engineDescriptor(engine);
  if (!(await models.has(descriptor.requiredModel))) return undefined;
  return { engine, threads, quality, files: await descriptor.locate(models, quality) };
}
