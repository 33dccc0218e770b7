import type { Parlance } from "@parlance/client";
import { FORMAT_RULES } from "@parlance/protocol";
import type { CommonRequest } from "./request.ts";

export interface ServedRequest extends CommonRequest {
  /** By name or id; cloned voices are known to the server only. */
  readonly voice?: string;
}

/** Speech of a server. */
export function speakServed(
  { tts }: Parlance,
  { text, voice, format, speed, volume, seed, language, pronounce }: ServedRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  return tts.stream(
    {
      text,
      format,
      sample_rate: FORMAT_RULES[format].defaultSampleRate,
      prosody: { speed, volume },
      ...(voice === undefined ? {} : { reference_id: voice }),
      ...(seed === undefined ? {} : { seed }),
      ...(language === undefined ? {} : { language }),
      ...(pronounce === undefined ? {} : { pronunciations: pronounce }),
    },
    { signal },
  );
}
