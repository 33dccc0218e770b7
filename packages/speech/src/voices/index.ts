import type { BuiltInVoice } from "./built-in.ts";
import { kokoroVoices } from "./kokoro-voices.ts";
import { piperVoices } from "./piper-voices.ts";

export type { BuiltInVoice } from "./built-in.ts";

/** The house's default first. */
export const builtInVoices: readonly BuiltInVoice[] = [...piperVoices, ...kokoroVoices];
