import { createHash } from "node:crypto";
import type { EngineVoice } from "../engines/engine.ts";
import type { Voice } from "../speech.ts";

/** A voice that comes with an engine, and how the engine is told to use it. */
export interface BuiltInVoice extends Voice {
  readonly spoken: EngineVoice;
}

/** Ids follow from engine and slug, so they are the same on every machine and for ever. */
export function builtInVoice(voice: Omit<BuiltInVoice, "id">): BuiltInVoice {
  return { ...voice, id: createHash("md5").update(`parlance:${voice.engine}:${voice.slug}`).digest("hex") };
}
