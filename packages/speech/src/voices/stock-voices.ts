import { createHash } from "node:crypto";
import type { EngineVoice } from "../engines/engine.ts";
import { engineDescriptors } from "../engines/registry.ts";
import type { Voice } from "../speech.ts";

/** A voice that comes with an engine, and its settings for the engine. */
export interface StockVoice extends Voice {
  readonly engineVoice: EngineVoice;
}

/** The voices of all engines, installed or not; the default one first. */
export const stockVoices: readonly StockVoice[] = engineDescriptors.flatMap(({ name, voices }) =>
  voices.map((voice) => ({ id: stockVoiceId(name, voice.slug), engine: name, ...voice })),
);

/** An id follows from engine and slug, so it is the same on every machine. */
function stockVoiceId(engine: string, slug: string): string {
  return createHash("md5").update(`parlance:${engine}:${slug}`).digest("hex");
}
