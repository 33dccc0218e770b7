import { ELEVENLABS_VOICES } from "./elevenlabs-voices.ts";

/**
 * Voice names of other services and the stock voices that speak for them, best first: of Kokoro, then of Piper. A voice of
 * this server with the same id and an alias of the operator come before; where none of these voices is installed, the
 * default voice speaks. Those of OpenAI are documented in docs/openai.md.
 */
export const FOREIGN_VOICES: Readonly<Record<string, readonly string[]>> = {
  alloy: ["af_alloy", "helen"],
  ash: ["am_adam", "martin"],
  ballad: ["bm_george", "arthur"],
  cedar: ["am_michael", "walter"],
  coral: ["af_bella", "clara"],
  echo: ["am_echo", "simon"],
  fable: ["bm_fable", "arthur"],
  marin: ["af_heart", "clara"],
  nova: ["af_nova", "lucy"],
  onyx: ["am_onyx", "walter"],
  sage: ["af_sarah", "nora"],
  shimmer: ["af_sky", "lucy"],
  verse: ["am_puck", "edward"],
  ...ELEVENLABS_VOICES,
};
