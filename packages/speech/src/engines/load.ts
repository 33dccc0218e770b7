import { loadEspeak } from "../g2p/espeak.ts";
import { createPronouncer } from "../g2p/pronounce.ts";
import type { Engine } from "./engine.ts";
import { engineDescriptor } from "./registry.ts";
import type { EngineSpec } from "./spec.ts";

/** In a worker process. The server starts workers by their specification, so that it does not load what they need. */
export async function loadEngine({ engine, threads, quality, files }: EngineSpec): Promise<Engine> {
  const pronounce = createPronouncer(await loadEspeak());
  return engineDescriptor(engine).load(files, { threads, quality, pronounce });
}
